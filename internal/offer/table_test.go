package offer_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/offer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

func compressed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

func TestReadTable(t *testing.T) {
	const heading = "source\tcode\ttitle\tlanguage\n"
	en := func(title string) offer.Offer {
		return offer.Offer{Source: "x", Code: "POP", Title: title, Language: "en"}
	}
	for name, c := range map[string]struct {
		text, source string
		want         []offer.Offer
		unknown      []string
	}{
		"tabs":                {text: heading + "x\tPOP\tPopulation\ten\n", want: []offer.Offer{en("Population")}},
		"no line end":         {text: heading + "x\tPOP\tPopulation\ten", want: []offer.Offer{en("Population")}},
		"CRLF":                {text: "source\tcode\ttitle\tlanguage\r\nx\tPOP\tPopulation\ten\r\n", want: []offer.Offer{en("Population")}},
		"byte order mark":     {text: "\xef\xbb\xbf" + heading + "x\tPOP\tPopulation\ten\n", want: []offer.Offer{en("Population")}},
		"gzip":                {text: compressed(heading + "x\tPOP\tPopulation\ten\n"), want: []offer.Offer{en("Population")}},
		"commas":              {text: "Code,Source,Language,Title\nPOP,x,en,\"Men, women, \"\"others\"\"\"\n", want: []offer.Offer{en(`Men, women, "others"`)}},
		"semicolons":          {text: "source;code;title;language\nx;POP;\"Men; women\nand others\";en\n", want: []offer.Offer{en("Men; women\nand others")}},
		"quoted with tabs":    {text: heading + "x\tPOP\t\"Men\tand \"\"women\"\"\"\ten\n", want: []offer.Offer{en("Men\tand \"women\"")}},
		"quotes of the texts": {text: heading + "x\tPOP\t\"Poverty\" in 2002\ten\n", want: []offer.Offer{en(`"Poverty" in 2002`)}},
		"quote in a text":     {text: heading + "x\tPOP\tWidth of 5\"\ten\n", want: []offer.Offer{en(`Width of 5"`)}},
		"several languages": {
			text: heading + "x\tPOP\tPopulation\ten\nx\tPOP\tBevölkerung\tde\n",
			want: []offer.Offer{en("Population"), {Source: "x", Code: "POP", Title: "Bevölkerung", Language: "de"}},
		},
		"unknown columns":   {text: "code,unit,title,source,language,colour\nPOP,1,Population,x,en,red\n", want: []offer.Offer{en("Population")}, unknown: []string{"unit", "colour"}},
		"no source":         {text: "code,title,language\nPOP,Population,en\n", source: "x", want: []offer.Offer{en("Population")}},
		"order of the rows": {text: "source,code\nx,b\ny,c\nx,a\n", want: []offer.Offer{{Source: "x", Code: "b"}, {Source: "x", Code: "a"}, {Source: "y", Code: "c"}}},
		"all columns": {
			text: "source\tcode\ttitle\tdescription\ttopic\tlanguage\tfrequency\tfirst_period\tlast_period\tlast_update\n" +
				"x\tPOP\tPopulation\tOn 1 January\tSociety / Population\ten\tA\t1990\t2025\t2026-11-02\n",
			want: []offer.Offer{whole},
		},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := offer.ReadTable(strings.NewReader(c.text), c.source)
			if err != nil {
				t.Fatal(err)
			}
			var got []offer.Offer
			for _, source := range table.Sources {
				got = append(got, table.Offers[source]...)
			}
			if !reflect.DeepEqual(got, c.want) || !slices.Equal(table.Unknown, c.unknown) {
				t.Errorf("read %q and unknown columns %q, want %q and %q", got, table.Unknown, c.want, c.unknown)
			}
		})
	}
}

// A bad row is named by its line, and nothing is read.
func TestBadTable(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", "the table is empty"},
		"no rows":         {"source,code\n", "the table has a heading and no rows"},
		"no code":         {"source,title\nx,y\n", "code is missing"},
		"no source":       {"code,title\nx,y\n", "the table has no column source"},
		"two columns":     {"source,code,code\nx,y,z\n", `the table has two columns "code"`},
		"too few fields":  {"source,code,title\nx,y,z\nx,z\n", "invalid rows: 1\nline 3: 2 fields, but the heading has 3"},
		"after two lines": {"source,code,title\nx,y,\"a\nb\"\nx,,z\n", "invalid rows: 1\nline 4: missing code"},
		"empty source":    {"source,code\n,y\n", "line 2: missing source"},
		"invalid source":  {"source,code\na:b,y\n", `line 2: invalid source "a:b"`},
		"language":        {"source,code,language\nx,y,English\n", `line 2: invalid language "English": must be a code of ISO 639 such as en`},
		"frequency":       {"source,code,frequency\nx,y,yearly\n", `line 2: invalid frequency "yearly": must be an SDMX code such as A, Q or M`},
		"twice":           {"source,code,language\nx,y,en\nx,y,fr\nx,y,en\n", `line 4: x:y in the language "en" is already in line 2`},
		"encoding":        {"source,code,title\nx,y,Bev\xf6lkerung\n", "line 2: field 3 is not UTF-8"},
		"quotes":          {"source,code,title\nx,y,5\" wide\n", "the table is not valid CSV"},
		"many":            {"source,code\n" + strings.Repeat("x,\n", 13), "invalid rows: 13\nline 2: missing code\nline 3"},
		"damaged":         {compressed("source,code\nx,y\n")[:25], "the compressed table is damaged or incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := offer.ReadTable(strings.NewReader(c.text), "")
			if stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// A period without a year is left out and counted.
func TestPeriodsOfTable(t *testing.T) {
	table, err := offer.ReadTable(strings.NewReader("source,code,first_period,last_period\nx,a,abc,2024\nx,b,Q1/2020,2024-03\nx,c,01/04/2009,LTAA\nx,d,,201203\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range table.Offers["x"] {
		got = append(got, o.First+" "+o.Last)
	}
	if want := []string{" 2024", "Q1/2020 2024-03", "01/04/2009 ", " 201203"}; !slices.Equal(got, want) || table.Unperiodic != 2 || table.UnperiodicLine != 2 {
		t.Errorf("periods %q, %d left out, the first in line %d", got, table.Unperiodic, table.UnperiodicLine)
	}
}

// The table of all offices is read whole, with the quotes of its texts.
func TestReadLargeTable(t *testing.T) {
	file, err := os.Open(filepath.Join(filepath.Dir(stattest.DataDir(t)), "search", "catalogue.tsv.gz"))
	if err != nil {
		stattest.SkipOrFail(t, "the table of what offices offer is not beside the offices' files: "+err.Error())
	}
	defer file.Close()
	table, err := offer.ReadTable(file, "")
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, t.TempDir())
	entries := 0
	for _, source := range table.Sources {
		n, err := db.Replace(t.Context(), source, listOf(nil, table.Offers[source]...))
		if err != nil {
			t.Fatal(err)
		}
		entries += n
	}
	states, err := db.Sources(t.Context())
	datasets := 0
	for _, s := range states {
		datasets += s.Datasets
	}
	if table.Undated != 1424 || table.UndatedLine != 30848 {
		t.Errorf("%d entries are undated, the first one in line %d", table.Undated, table.UndatedLine)
	}
	if err != nil || entries != 96426 || datasets != 84945 || len(table.Unknown) > 0 {
		t.Errorf("%d entries, %d datasets, unknown columns %v, error %v; want 96,426 and 84,945", entries, datasets, table.Unknown, err)
	}
	found, err := db.Find(t.Context(), "owid", "236.3")
	if err != nil || len(found) != 1 || found[0].Title != `"Extreme Poverty" (BM 2002)` {
		t.Errorf("found %v, %v", found, err)
	}
}

// What is read can be written as a table and read again. No text makes it panic.
func FuzzReadTable(f *testing.F) {
	f.Add("source\tcode\ttitle\nx\ty\t\"z\" z\n")
	f.Add("code,source,frequency\n\"a,b\",x,A\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := offer.ReadTable(strings.NewReader(text), "")
		if err != nil {
			return
		}
		var b strings.Builder
		w := csv.NewWriter(&b)
		_ = w.Write([]string{"source", "code", "title", "description", "topic", "language", "frequency", "first_period", "last_period", "last_update"})
		for _, source := range table.Sources {
			for _, o := range table.Offers[source] {
				if o.Source != source || o.Code == "" || !utf8.ValidString(o.Title) {
					t.Fatalf("read %q below %q", o, source)
				}
				_ = w.Write([]string{o.Source, o.Code, o.Title, o.Description, o.Topic, o.Language, o.Frequency, o.First, o.Last, o.Updated})
			}
		}
		w.Flush()
		again, err := offer.ReadTable(strings.NewReader(b.String()), "")
		if err != nil {
			t.Fatalf("written and read again: %v\n%q", err, b.String())
		}
		if !reflect.DeepEqual(again.Offers, table.Offers) {
			t.Fatalf("read %q, written and read again %q", table.Offers, again.Offers)
		}
	})
}
