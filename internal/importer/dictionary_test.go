package importer_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

var updateCases = flag.Bool("update-cases", false, "write the results to testdata/dictionaries.txt")

// visible replaces visible characters by those that they stand for.
var visible = strings.NewReplacer("⇥", "\t", "␠", " ", "␍", "\r", "␃", "\x03", "␄", "\x04", "ÿ", "\xff")

// TestDictionaryCases imports the small files in testdata, each with the files below it
// as --labels, and compares the dataset with the text after the hyphens:
//
//	== the name of the case
//	file une_rt_a.tsv
//	geo\time⇥2020␠
//	AT⇥4.5␠
//	-- geo.dic --
//	AT⇥Austria
//	----
//	the dataset and the notes
func TestDictionaryCases(t *testing.T) {
	const file = "testdata/dictionaries.txt"
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(content), "\n== ")
	var written strings.Builder
	written.WriteString(blocks[0])
	for _, block := range blocks[1:] {
		rule, rest, _ := strings.Cut(block, "\n")
		text, want, _ := strings.Cut(rest, "----\n")
		t.Run(rule, func(t *testing.T) {
			got := importWithFiles(t, text)
			fmt.Fprintf(&written, "\n== %s\n%s----\n%s", rule, text, got)
			if strings.TrimSpace(got) != strings.TrimSpace(want) && !*updateCases {
				t.Errorf("%s\ngot\n%s\nwant\n%s", text, got, want)
			}
		})
	}
	if *updateCases {
		if err := os.WriteFile(file, []byte(written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// importWithFiles imports the file of a case and describes the dataset.
func importWithFiles(t *testing.T, text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	name, labels, data := strings.TrimPrefix(first, "file "), t.TempDir(), ""
	into := ""
	for line := range strings.Lines(rest) {
		if after, found := strings.CutPrefix(line, "-- "); found {
			into = filepath.Join(labels, strings.TrimSuffix(after, " --\n"))
			if err := os.MkdirAll(filepath.Dir(into), 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, into, "")
			continue
		}
		if line = visible.Replace(line); into == "" {
			data += line
		} else {
			before, err := os.ReadFile(into)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, into, string(before)+line)
		}
	}
	s := openStore(t)
	o := importText(t, s, importer.Options{Labels: labels}, name, data)
	if o.Status == importer.Refused {
		return "refused: " + o.Error + "\n"
	}
	return strings.ReplaceAll(describe(current(t, s, o.ID).Dataset, o), labels, "LABELS")
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// describe lists what dictionaries added to a dataset, and the notes.
func describe(d *stat.Dataset, o importer.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "dataset %s: %s\n", d.Code, d.Name)
	if !d.Updated.IsZero() {
		fmt.Fprintf(&b, "updated %s\n", d.Updated.Format("2006-01-02T15:04:05-0700"))
	}
	for _, address := range []string{d.SourceURL, d.MetadataURL} {
		if address != "" {
			fmt.Fprintf(&b, "see %s\n", address)
		}
	}
	for _, dim := range d.Axes() {
		fmt.Fprintf(&b, "%s %q (%s):", dim.ID, dim.Label, dim.Role)
		for _, c := range dim.Codes {
			fmt.Fprintf(&b, " %s %q", c.ID, c.Label)
		}
		b.WriteString("\n")
	}
	for _, n := range o.Notes {
		fmt.Fprintf(&b, "note %s %d: %s\n", n.Kind, n.Count, n.Example)
	}
	return b.String()
}

// labelsOf are the labels of a dimension's codes, by code.
func labelsOf(t *testing.T, s *store.Store, id int, dimension string) map[string]string {
	t.Helper()
	labels := map[string]string{}
	for _, axis := range current(t, s, id).Dataset.Axes() {
		if axis.ID == dimension {
			for _, c := range axis.Codes {
				labels[c.ID] = c.Label
			}
		}
	}
	return labels
}

// officeLabels is the folder of Eurostat's files: dictionaries in all forms, and
// data files, which are skipped.
func officeLabels(t *testing.T) string { return filepath.Join(stattest.DataDir(t), "eurostat") }

// TestOfficeLabels: labels come from every form of dictionary that the office has, the
// newest first. The folder may have files of other offices, and may be a single file.
func TestOfficeLabels(t *testing.T) {
	const table = `freq,nrg_bal,siec,unit,na_item,age,icd10,coicop,citizen,geo\TIME_PERIOD` + "\t2014 \n" +
		"A,PPRD,TOTAL,GWH,P31_S14,Y15-24,A-R_U-Y,CP00,FR,FRA\t1 \nA,PPRD,TOTAL,GWH,P31_S14,Y15-24,A-R_U-Y,CP00,FR,EU\t1 \n"
	for _, folder := range []string{officeLabels(t), stattest.DataDir(t)} {
		s := openStore(t)
		o := mustImport(t, s, importer.Options{Labels: folder}, "nrg_bal_s.tsv", table)
		d := current(t, s, o.ID).Dataset
		labels, names := map[string]string{}, map[string]string{}
		for _, dim := range d.Axes() {
			names[dim.ID] = dim.Label
			for _, c := range dim.Codes {
				labels[dim.ID+" "+c.ID] = c.Label
			}
		}
		for _, f := range d.Fixed {
			names[f.ID], labels[f.ID+" "+f.Code.ID] = f.Label, f.Code.Label
		}
		for _, c := range []struct{ form, code, want string }{
			{"SDMX-ML 2.1 code list", "nrg_bal PPRD", "Primary production"},
			{"SDMX-ML 2.1 code list", "freq A", "Annual"},
			{"SDMX-ML 2.1, the newest of all", "unit GWH", "Gigawatt-hour"},
			{"SDMX-ML 2.0 code list in a zip file", "na_item P31_S14", "Final consumption expenditure of households"},
			{"8-bit .dic", "coicop CP00", "All-items HICP"},
			{"TSV code list", "icd10 A-R_U-Y", "All causes of death (A00-Y89) excluding S00-T98"},
			{".dic fills in what newer lists lack", "age Y15-24", "From 15 to 24 years"},
			{"UTF-8 .dic of 2021 before the one of 2011", "geo EU", "European Union (EU6-1958, EU9-1973, EU10-1981, EU12-1986, EU15-1995, EU25-2004, EU27-2007, EU28-2013, EU27-2020)"},
			{"UTF-8 .dic; FRA is not France", "geo FRA", "Départements d'outre-mer (NUTS 2013)"},
		} {
			if got := labels[c.code]; got != c.want {
				t.Errorf("%s: the label of %s is %q, want %q", c.form, c.code, got, c.want)
			}
		}
		for dim, want := range map[string]string{
			"nrg_bal": "Energy balance", "siec": "Standard international energy product classification (SIEC)",
			"age": "Age class", "citizen": "Country of citizenship", "geo": "Geopolitical entity (reporting)",
		} {
			if names[dim] != want {
				t.Errorf("the label of dimension %s is %q, want %q", dim, names[dim], want)
			}
		}
		if n := note(o, importer.NoteLabelsUnread); n != nil {
			t.Errorf("--labels %s: note %+v", folder, n)
		}
	}
	s := openStore(t)
	o := mustImport(t, s, importer.Options{Labels: filepath.Join(officeLabels(t), "dic/unit.dic")}, "x.tsv", "unit,geo\\time\t2014 \nPC_ACT,AT\t1 \n")
	if got := labelsOf(t, s, o.ID, "unit")["PC_ACT"]; got != "Percentage of active population" {
		t.Errorf("with a single file for --labels, the label of PC_ACT is %q", got)
	}
}

// TestOfficeTitles: titles come from the tables of contents, and the text of 2023 takes
// precedence over the XML of 2015. The XML adds the address of the metadata. Other titles
// come from table_dic.
func TestOfficeTitles(t *testing.T) {
	s := openStore(t)
	import1 := func(name string) (*stat.Dataset, importer.Outcome) {
		o := mustImport(t, s, importer.Options{Labels: officeLabels(t)}, name, "geo\\time\t2014 \nAT\t1 \n")
		return current(t, s, o.ID).Dataset, o
	}
	d, o := import1("nama_10_gdp.tsv")
	if d.Name != "GDP and main components (output, expenditure and income)" ||
		d.MetadataURL != "http://ec.europa.eu/eurostat/cache/metadata/en/nama_10_esms.htm" {
		t.Errorf("name %q, metadata at %q", d.Name, d.MetadataURL)
	}
	if note(o, stat.NoteCodeFromFilename) != nil {
		t.Errorf("notes %+v for a dataset in the table of contents", o.Notes)
	}
	if d, _ = import1("estat_une_rt_a.tsv"); d.Name != "Unemployment by sex and age – annual data" {
		t.Errorf("name %q, want UTF-8", d.Name)
	}
	if d, _ = import1("tet00041.tsv"); d.Name != "Extra-EU27 trade of food, drinks and tobacco (SITC 0+1), by main partners" {
		t.Errorf("name %q; want that of table_dic with tidy spaces", d.Name)
	}
	if d, o = import1("not_a_code.tsv"); d.Name != "not_a_code" || d.SourceURL != "" || note(o, stat.NoteCodeFromFilename) == nil {
		t.Errorf("name %q at %q, notes %v; want the code and a note", d.Name, d.SourceURL, o.Notes)
	}
}

// structureMessage names the code list of a dimension.
const structureMessage = `<m:Structure xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><m:Header><m:Prepared>2024-01-01T00:00:00</m:Prepared></m:Header><m:Structures>
<Codelists><Codelist id="CL_SEX" agencyID="ESTAT" version="2.0"><Code id="T"><Name>Total</Name></Code><Code id="M"><Name>Men</Name></Code><Code id="F"><Name>Women</Name></Code></Codelist></Codelists>
<Dataflows><Dataflow id="BIRTHS" agencyID="ESTAT"><Name>Live births</Name><Structure><Ref id="DSD"/></Structure></Dataflow></Dataflows>
<DataStructures><DataStructure id="DSD" agencyID="ESTAT"><DataStructureComponents><DimensionList><Dimension id="freq"/>
<Dimension id="sex"><LocalRepresentation><Enumeration><Ref id="CL_SEX"/></Enumeration></LocalRepresentation></Dimension><Dimension id="geo"/>
<TimeDimension id="TIME_PERIOD"/></DimensionList></DataStructureComponents></DataStructure></DataStructures></m:Structures></m:Structure>`

// TestStructureIsStored: a structure message has no data, but it is stored for the files of
// its office.
func TestStructureIsStored(t *testing.T) {
	s := openStore(t)
	got := importText(t, s, importer.Options{}, "dsd.xml", structureMessage)
	const want = "dsd.xml: read and stored for later imports: 1 code list, 1 structure and 1 dataset name for files of Eurostat; the file is a structure message and holds no data to import"
	if got.Status != importer.Refused || got.Error != want || len(got.Codes) != 1 || got.Format != "" && got.Format != "sdmx-structure" {
		t.Errorf("%+v\nwant the refusal: %s", got, want)
	}
	o := mustImport(t, s, importer.Options{}, "births.tsv", births)
	labels := labelsOf(t, s, o.ID, "sex")
	d := current(t, s, o.ID).Dataset
	if labels["T"] != "Total" || labels["F"] != "Women" || d.Name != "Live births" || d.Dimensions[1].Codes[0].ID != "T" {
		t.Errorf("labels %v, name %q: want those of the stored structure", labels, d.Name)
	}
	if n := note(o, stat.NoteCodeFromFilename); n != nil {
		t.Errorf("note %+v for a code of the office", n)
	}
	again := mustImport(t, s, importer.Options{}, "births.tsv", births)
	if again.Status != importer.Unchanged {
		t.Errorf("the same file again: %+v", again)
	}
	strange := mustImport(t, s, importer.Options{}, "births.tsv", births+"A,X,DE\t1 \t2 \n")
	if n := note(strange, stat.NoteUnknownCode); n == nil || n.Example != "sex: X" {
		t.Errorf("notes %+v, want one for code X", strange.Notes)
	}
}

// TestStructureInTheSameImport: a structure in the same archive or command is used, and
// stored for later files.
func TestStructureInTheSameImport(t *testing.T) {
	s := openStore(t)
	dir := t.TempDir()
	data, structure := filepath.Join(dir, "births.tsv"), filepath.Join(dir, "dsd.xml")
	writeFile(t, data, births)
	writeFile(t, structure, structureMessage)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := im.Import(t.Context(), data, structure)
	id := 0
	for _, o := range outcomes {
		id = max(id, o.ID)
	}
	if labels := labelsOf(t, s, id, "sex"); len(outcomes) != 2 || labels["F"] != "Women" {
		t.Fatalf("%+v, labels %v: want those of the structure, which is the last file", outcomes, labels)
	}
	other := mustImport(t, s, importer.Options{}, "deaths.tsv", births)
	if labels := labelsOf(t, s, other.ID, "sex"); labels["F"] != "Women" {
		t.Errorf("labels %v of another dataset with the same dimensions", labels)
	}
}

// TestCodesOfDictionariesAreStored: later imports know the codes of a dictionary and their
// order without it, also for other datasets of the office.
func TestCodesOfDictionariesAreStored(t *testing.T) {
	s := openStore(t)
	labels := filepath.Join(t.TempDir(), "sex.dic")
	writeFile(t, labels, "F\tFemales\nM\tMales\nT\tTotal\n")
	mustImport(t, s, importer.Options{Labels: labels}, "births.tsv", births)
	if err := os.Remove(labels); err != nil {
		t.Fatal(err)
	}
	o := mustImport(t, s, importer.Options{}, "deaths.tsv", strings.ReplaceAll(births, "A,F,", "A,M,")+"A,F,DE\t1 \t2 \n")
	want := map[string]string{"T": "Total", "F": "Females", "M": "M"}
	if got := labelsOf(t, s, o.ID, "sex"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("labels %v, want %v: M did not occur in the file imported with the dictionary", got, want)
	}
	if codes := current(t, s, o.ID).Dataset.Dimensions[1].Codes; codes[0].ID != "F" {
		t.Errorf("codes %v, want the dictionary's order", codes)
	}
	if n := note(o, importer.NoteLabelsMissing); n == nil {
		t.Errorf("notes %+v, want one for the missing dictionary", o.Notes)
	}
}

// TestLabelsOfDataFilesAreStored: labels from a data file apply to other datasets of the
// office as long as all files agree.
func TestLabelsOfDataFilesAreStored(t *testing.T) {
	s := openStore(t)
	file := func(code, label string) string {
		return "#almanac-tidy,1\n#source,eurostat,Eurostat\n#dataset," + code + ",X\n#dimension,sex,Sex\n#code,T," + label + "\n#geography,geo,Country\n" +
			"sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2022,1\n"
	}
	label := func(name string) string {
		o := mustImport(t, s, importer.Options{}, name+".tsv", births)
		return labelsOf(t, s, o.ID, "sex")["T"]
	}
	mustImport(t, s, importer.Options{}, "a.csv", file("a", "Total"))
	if got := label("births1"); got != "Total" {
		t.Errorf("label %q, want that of the other dataset", got)
	}
	mustImport(t, s, importer.Options{}, "b.csv", file("b", "Total"))
	if got := label("births2"); got != "Total" {
		t.Errorf("label %q, want that of both other datasets", got)
	}
	mustImport(t, s, importer.Options{}, "c.csv", file("c", "Tonnes"))
	if got := label("births3"); got != "T" {
		t.Errorf("label %q, want the code, because two datasets differ", got)
	}
	if got := label("births1"); got != "Total" {
		t.Errorf("label %q, want that of the previous version", got)
	}
	mustImport(t, s, importer.Options{}, "c.csv", file("c", "Total"))
	if got := label("births4"); got != "T" {
		t.Errorf("label %q, want the code again", got)
	}
}

// A code without a label may be the label of another code. Importing the file again still
// changes nothing.
func TestCodeThatIsALabelOfAnotherCode(t *testing.T) {
	s := openStore(t)
	labels := t.TempDir()
	writeFile(t, filepath.Join(labels, "unit.dic"), "PC\tX\n")
	const data = "unit,geo\\time\t2014 \nPC,AT\t1 \nX,AT\t2 \n"
	first := mustImport(t, s, importer.Options{Labels: labels}, "x.tsv", data)
	again := mustImport(t, s, importer.Options{Labels: labels}, "x.tsv", data)
	if again.Status != importer.Unchanged || again.Version != "1.0" {
		t.Errorf("the same file again: %s, version %s, want unchanged, 1.0", again.Status, again.Version)
	}
	if diff := cmp.Diff(note(first, stat.NoteNoLabels), note(again, stat.NoteNoLabels)); diff != "" {
		t.Errorf("note of codes without labels (-first +again):\n%s", diff)
	}
	got := labelsOf(t, s, first.ID, "unit")
	if got["PC"] != "X [PC]" || got["X"] != "X [X]" {
		t.Errorf("labels %v, want both codes in brackets", got)
	}
}

// TestDictionaryOfTheFilesOffice: a file uses the dictionaries of the office that made it,
// even if the caller states another office.
func TestDictionaryOfTheFilesOffice(t *testing.T) {
	s := openStore(t)
	labels := t.TempDir()
	writeFile(t, filepath.Join(labels, "sex.dic"), "F\tFemales\n")
	o := mustImport(t, s, importer.Options{Labels: labels, Source: "My Ministry"}, "births.tsv", births)
	if got := labelsOf(t, s, o.ID, "sex")["F"]; got != "Females" {
		t.Errorf("label %q, want Females from Eurostat's dictionary", got)
	}
}

// TestInspectStoresNoCodes: inspecting a file stores nothing.
func TestInspectStoresNoCodes(t *testing.T) {
	s := openStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dsd.xml")
	writeFile(t, file, structureMessage)
	if found := im.Inspect(t.Context(), file); len(found) != 1 || !strings.Contains(found[0].Error, "a structure message") || strings.Contains(found[0].Error, "stored") {
		t.Errorf("%+v", found)
	}
	known, err := s.Dictionary(t.Context(), "eurostat")
	if err != nil || len(known.Lists)+len(known.Structures) > 0 {
		t.Errorf("%+v was stored (error %v)", known, err)
	}
}

// TestStructureOfTheOfficeRemains: an import of a file with other dimensions does not
// replace the office's structure, which names code lists.
func TestStructureOfTheOfficeRemains(t *testing.T) {
	s := openStore(t)
	importText(t, s, importer.Options{}, "dsd.xml", structureMessage)
	mustImport(t, s, importer.Options{}, "births.tsv", strings.ReplaceAll(births, "sex,", "age,"))
	known, err := s.Dictionary(t.Context(), "eurostat")
	if err != nil {
		t.Fatal(err)
	}
	stated := known.Structure("births")
	if stated == nil || stated.Dimension("sex") == nil || stated.Dimension("sex").List != "CL_SEX" || stated.Dimension("age") != nil {
		t.Errorf("structure %+v, want the one of the office", stated)
	}
}
