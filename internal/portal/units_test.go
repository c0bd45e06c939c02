package portal_test

import (
	"context"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// greekFile is a file of PC-Axis in Greek, as an office writes it.
const greekFile = `CHARSET="ANSI";
AXIS-VERSION="2000";
CODEPAGE="utf-8";
LANGUAGE="el";
CREATION-DATE="20210101 10:00";
MATRIX="POP";
TITLE="Πληθυσμός κατά Φύλο και Έτος";
CONTENTS="Πληθυσμός";
UNITS="Άτομα";
STUB="Φύλο";
HEADING="Έτος";
VALUES("Φύλο")="Σύνολο","Άνδρες";
VALUES("Έτος")="2018","2019";
TIMEVAL("Έτος")=TLIST(A1),"2018","2019";
DECIMALS=0;
DATA=
10000 11000
4000 4500;
`

// TestUnitOfGreekFile reads the unit of a file in Greek below the title of its chart and in the heading of its table.
func TestUnitOfGreekFile(t *testing.T) {
	s := newStore(t)
	im, err := importer.New(s, importer.Options{Country: "GR"})
	if err != nil {
		t.Fatal(err)
	}
	if got := im.Read(context.Background(), "POP.px", strings.NewReader(greekFile)); len(got) != 1 || got[0].Error != "" {
		t.Fatalf("%+v", got)
	}
	base := serve(t, s, nil)
	for _, view := range []string{"line", "bar", "ranking"} {
		for _, lang := range []string{"en", "de"} {
			root := openPage(t, base+"/datasets/1/pop?view="+view+"&lang="+lang)
			subtitle, caption := textOf(elements(elements(root, "figcaption")[0], "p", "class=note")[0]), textOf(elements(root, "caption")[0])
			if !strings.Contains(subtitle, "Άτομα") || !strings.Contains(caption, "Άτομα") {
				t.Errorf("%s, %s: the chart says %q, the table %q", view, lang, subtitle, caption)
			}
		}
	}
}
