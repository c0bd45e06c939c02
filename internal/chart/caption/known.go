package caption

import (
	"cmp"
	"embed"
	"iter"
	"slices"
	"strings"
	"sync"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

//go:embed codes/*.tsv titles/*.tsv
var tables embed.FS

// known is what the tables say of a code or a title. place is the country of what comes without
// an area; isBetter tells that the name replaces a title in the file as it is, isCurrent that
// it is that of the office's present catalogue, where old dictionaries name base years that are past.
type known struct {
	name, unit, place   string
	isBetter, isCurrent bool
}

// knownOf returns what a row says.
func knownOf(row [6]string) known {
	return known{name: row[2], unit: row[3], place: strings.TrimPrefix(row[4], "-"), isBetter: row[5] == "replaces"}
}

// better returns the name if it replaces a title in the file, else nothing.
func (k known) better() string {
	if k.isBetter {
		return k.name
	}
	return ""
}

// fredPlace is the country of the series in the table of FRED and other offices of the United
// States, except exchange rates and prices of the world, which have a dash.
const fredPlace = "United States"

// knownCodes returns what is known of well-known codes by dimension, a tab, and code. A row
// for the codes of one office has the ID of the office and a colon before the dimension:
// "fred:@measure". Of several rows for a code in a file of any office, the first counts, in
// the order of the files' names.
var knownCodes = sync.OnceValue(func() map[string]known {
	names := map[string]known{}
	add := func(dimension string, row [6]string) {
		if key := dimension + "\t" + row[1]; names[key].name == "" {
			names[key] = knownOf(row)
		}
	}
	for file, row := range rowsOf("codes") {
		if file == "us.tsv" && row[4] == "" {
			row[4] = fredPlace
		}
		for dimension := range strings.FieldsSeq(row[0]) {
			add(dimension, row)
			if _, ofOffice, ok := strings.Cut(dimension, ":"); ok && !strings.HasPrefix(ofOffice, "unit") {
				add(anyOffice+":"+ofOffice, row) // but M is a metre only for the OECD
			}
		}
	}
	return names
})

// KnownTitle returns the title in English of a well-known dataset, by the ID of its source and its code;
// empty if the tables have none.
func KnownTitle(source, code string) string {
	return knownTitles()[source+"\t"+strings.ToLower(code)].name
}

// knownTitles returns the titles of well-known datasets by source, a tab, and code in
// lower case.
var knownTitles = sync.OnceValue(func() map[string]known {
	titles := map[string]known{}
	for file, row := range rowsOf("titles") {
		title := knownOf(row)
		title.isCurrent = file == "eurostat.tsv"
		code := strings.ToLower(row[1])
		titles[row[0]+"\t"+code] = title
		titles[anyOffice+"\t"+code] = title
	}
	return titles
})

// anyOffice stands for the source of a file that does not state it, but whose office is known
// by the form of the file. Such a file has no ID of an office.
const anyOffice = "local"

// rowsOf yields the rows of the tables in a folder, with the names of the files: the three
// fields of a line, and the unit, the place and "replaces" if they are there.
func rowsOf(folder string) iter.Seq2[string, [6]string] {
	return func(yield func(string, [6]string) bool) {
		files, err := tables.ReadDir(folder)
		if err != nil {
			panic(err) // the files are embedded
		}
		for _, file := range files {
			text, err := tables.ReadFile(folder + "/" + file.Name())
			if err != nil {
				panic(err)
			}
			for line := range strings.Lines(string(text)) {
				fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
				row := [6]string{}
				copy(row[:], fields)
				if line[0] != '#' && len(fields) >= 3 && !yield(file.Name(), row) {
					return
				}
			}
		}
	}
}

// titleOf returns the title of a dataset: its name, or if that is a code, the title that the
// office's catalogue lists. isCode reports that neither is known.
func titleOf(d *stat.Dataset) (title string, isCode bool) {
	name := strings.TrimSpace(d.Name)
	if measure := MeasureInDescription(d); measure != "" {
		return cmp.Or(knownDataset(d).better(), measure), false
	}
	if known := knownDataset(d); known.name != "" && (known.isBetter || known.isCurrent || isCodeTitle(d)) {
		return known.name, false
	}
	isMeasure := name != d.Code && measureAbbreviations[strings.ToLower(name)] // the heading of a column: "GDP"
	if isMeasure || !isCodeTitle(d) {
		return name, false
	}
	if structureName.MatchString(name) {
		return d.Code, true
	}
	if len([]rune(name)) <= 3 && len(d.Code) > 3 || nameOfFile(name) == "" && nameOfFile(d.Code) != "" || strings.Count(d.Code, "-") > strings.Count(name, "_") {
		return d.Code, true // a column's heading says less than the name of its file
	}
	return name, true
}

var (
	// statesNoMeasure matches titles that name all that a table has, and not what is in the
	// file: of SIDRA of the IBGE.
	statesNoMeasure = lazyregexp.New(`^Tabela \d+ - `)
	// measureLine matches the line of its files that names it.
	measureLine = lazyregexp.New(`(?m)^Variável - \s*(.+)$`)
)

// MeasureInDescription returns the measure that the description of such a file names; empty for other files.
func MeasureInDescription(d *stat.Dataset) string {
	if !statesNoMeasure.MatchString(strings.TrimSpace(d.Name)) {
		return ""
	}
	if m := measureLine.FindStringSubmatch(d.Description); m != nil {
		return m[1]
	}
	return ""
}

// flowKey matches the key of a series after its name, which begins with the code of the dataset:
// "Euro short-term rate (EST.B.EU000A2X2A25.WT)".
var flowKey = lazyregexp.New(`\(([A-Z0-9_]+)(?:\.[A-Z0-9_]+){2,}\)$`)

// wrapped are what programs write around the code of a dataset in the name of a file; the first
// group is the code.
var wrapped = []*lazyregexp.Regexp{
	lazyregexp.New(`^(.+?)__custom`), // an extraction from Eurostat
	lazyregexp.New(`^(?:estat|estat_)?_?(.+?)(?:_linear.*|_defaultview.*|_page_.*)$`), // likewise
	lazyregexp.New(`^snb-data-(.+?)-(?:en|de|fr|it)-`),
	lazyregexp.New(`^(\d{5}(?:ned|eng))_`), // Statistics Netherlands
	lazyregexp.New(`^(cu|la|ln|ce)\.data`),
	lazyregexp.New(`^([a-z]+?)\d{2,6}$`), // with the edition: pwt1001
	lazyregexp.New(`^(hdr)\d\d`),
	lazyregexp.New(`^(?:df_)?([a-z]{3}_[a-z0-9]{4}_.+?)(?:_[aqm])?$`), // a data flow of the ILO, or a file of its bulk download
	lazyregexp.New(`^(all_data_fiw)_`),
}

// knownDataset returns what is known of a well-known dataset by its code, or by the name of its measure.
func knownDataset(d *stat.Dataset) known {
	code := strings.ToLower(d.Code)
	candidates := []string{code, strings.ToLower(MeasureInDescription(d)), strings.ToLower(d.Name)}
	if m := flowKey.FindStringSubmatch(d.Name); m != nil {
		candidates = append(candidates, strings.ToLower(m[1]))
	}
	for _, pattern := range wrapped {
		if m := pattern.FindStringSubmatch(code); m != nil {
			candidates = append(candidates, m[1])
		}
	}
	if d.Source.ID == anyOffice && d.Source.Name == "Local file" {
		return known{}
	}
	for _, source := range []string{d.Source.ID, strings.ToLower(d.Source.Name)} {
		for _, candidate := range candidates {
			if known := knownTitles()[source+"\t"+candidate]; known.name != "" {
				return known
			}
		}
		if source == "fred" {
			if known := knownCodes()["fred:@measure\t"+strings.ToUpper(code)]; known.name != "" {
				return known
			}
		}
	}
	return known{}
}

// knownCode returns what the code lists of the offices say of a code, for datasets that come
// without them. The list of the office itself takes precedence.
func knownCode(office, dimension, code string) known {
	dimension = strings.ToLower(dimension)
	first, _, _ := strings.Cut(dimension, "_") // MEASURE_POPPR_NAT_008
	kinds := []string{dimension, first}
	if name := blsName(code); name != "" && isMeasureID(dimension) {
		return known{name: name, unit: blsUnit(code)}
	}
	if isMeasureID(dimension) {
		kinds = append(kinds, "@measure")
	}
	if isCurrencyDimension(dimension) || strings.Contains(dimension, "curr") || strings.HasPrefix(dimension, "unit") {
		kinds = append(kinds, "@currency")
	}
	for _, kind := range kinds {
		for _, list := range []string{office + ":" + kind, kind} {
			if known := knownCodes()[list+"\t"+code]; known.name != "" {
				return known
			}
		}
	}
	return known{}
}

// isMeasureID reports whether the ID of a dimension, in lower case, is one of dimensions that
// say what is measured, such as the columns of a table.
func isMeasureID(id string) bool {
	first, _, _ := strings.Cut(id, "_")
	return slices.Contains(measureWords, id) || slices.Contains(measureWords, first) || id == "seriesid" || id == "series key" || strings.HasPrefix(id, "tipo_dato")
}

// betterName returns the name of a code if it replaces the label in the file; empty if none does.
// Only a few dimensions have such codes.
func betterName(office, dimension, code string) string {
	if names := betterNames()[office]; names != nil {
		return names[strings.ToLower(dimension)+"\t"+code]
	}
	return ""
}

// betterNames returns the rows of codes that replace labels, by office, and by dimension, a tab, and code.
var betterNames = sync.OnceValue(func() map[string]map[string]string {
	names := map[string]map[string]string{}
	for _, row := range rowsOf("codes") {
		office, dimension, ok := strings.Cut(row[0], ":")
		if !ok || !knownOf(row).isBetter {
			continue
		}
		if names[office] == nil {
			names[office] = map[string]string{}
		}
		names[office][dimension+"\t"+row[1]] = row[2]
	}
	return names
})

// knownName returns the name of a code in the offices' code lists; empty if it is not known.
func knownName(office, dimension, code string) string {
	if name := knownCode(office, dimension, code).name; name != "" {
		return name
	}
	if strings.Contains(strings.ToLower(dimension), "age") {
		return ageName(code)
	}
	return ""
}
