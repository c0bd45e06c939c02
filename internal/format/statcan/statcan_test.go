package statcan_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/statcan"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, statcan.Formats()) }

const sample = "REF_DATE,GEO,DGUID,Sex,UOM,UOM_ID,SCALAR_FACTOR,SCALAR_ID,VECTOR,COORDINATE,VALUE,STATUS,SYMBOL,TERMINATED,DECIMALS\n" +
	"2023-01,Ontario,2016A000235,Females,Persons,249,thousands,3,v1,1.2,3.8,A,r,,1\n2023-02,Ontario,2016A000235,Females,Persons,249,thousands,3,v1,1.2,,..,,,1\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, statcan.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, statcan.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

// TestStrict checks that, of all real files, none of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, statcan.Formats()) }

const description = `"Cube Title","Product Id","CANSIM Id",URL,"Cube Notes","Archive Status"
"Prices, monthly",18100001,,"https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=1810000101",1;2,CURRENT

"Dimension ID","Dimension name","Dimension Notes","Dimension Definitions"
1,Geography,,
2,Products,,

"Dimension ID","Member Name","Classification Code","Member ID","Parent Member ID",Terminated,"Member Notes","Member Definitions"
1,Canada,[11124],1,,,,
1,Ontario,[35],2,1,,,
2,All-items,,1,,,,
2,Food,,2,1,,,
2,Other,,3,2,,,
2,Shelter,,4,1,,,
2,Other,,5,4,,,

Symbol Legend
Description,Symbol
preliminary,p
`

const descriptionInFrench = `"Titre du cube";"Identificateur du produit";"Identificateur de CANSIM";URL;"Notes du cube"
"Prix, mensuels";18100001;;"https://www150.statcan.gc.ca/t1/tbl1/fr/tv.action?pid=1810000101";1

"Numéro d'identification de la dimension";"Nom de la dimension";"Notes de la dimension";"Définitions de la dimension"
1;Géographie;;
2;Produits;;

"Numéro d'identification de la dimension";"Nom du membre";"Code sur la classification";"Numéro d'identification du membre";"Numéro d'identification du membre parent"
1;Canada;;1;
2;Ensemble;;1;
2;Aliments;;2;1
`

func TestDescriptions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{description, "18100001 Prices, monthly at https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=1810000101\n" +
			"GEO Geography: Canada, Ontario below Canada\nProducts Products: All-items, Food below All-items, Other, Shelter below All-items\n"},
		{descriptionInFrench, "18100001 Prix, mensuels at https://www150.statcan.gc.ca/t1/tbl1/fr/tv.action?pid=1810000101\n" +
			"GEO Géographie: Canada\nProduits Produits: Ensemble, Aliments below Ensemble\n"},
	} {
		sample := formattest.Sample{Name: "18100001_MetaData.csv", Data: []byte(c.text)}
		again := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.text)), nil }
		d, err := formattest.FormatOf(t, statcan.Formats(), sample).Learn(t.Context(), format.Input{Name: sample.Name, Data: strings.NewReader(c.text), Again: again})
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(d, "18100001"); got != c.want {
			t.Errorf("learns\n%swant\n%s", got, c.want)
		}
	}
}

// describe returns what a dictionary says of a table: its title, and its dimensions with what is
// above each code.
func describe(d *stat.Dictionary, table string) string {
	var b strings.Builder
	s := d.Structure(table)
	fmt.Fprintf(&b, "%s %s at %s\n", s.ID, s.Title, s.SourceURL)
	for _, dimension := range s.Dimensions {
		var codes []string
		for _, code := range d.List(table, dimension.ID).Codes {
			text := code.Label
			for _, above := range code.Parents {
				text += " below " + above
			}
			codes = append(codes, text)
		}
		fmt.Fprintf(&b, "%s %s: %s\n", dimension.ID, dimension.Label, strings.Join(codes, ", "))
	}
	return b.String()
}

func FuzzDescription(f *testing.F) {
	f.Add(description)
	f.Add(descriptionInFrench)
	f.Fuzz(func(t *testing.T, text string) {
		again := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		for _, kind := range statcan.Formats() {
			if kind.Learn == nil {
				continue
			}
			if _, err := kind.Learn(t.Context(), format.Input{Name: "1_MetaData.csv", Data: strings.NewReader(text), Again: again}); err != nil && stat.KindOf(err) != stat.Refused {
				t.Error(err)
			}
		}
	})
}
