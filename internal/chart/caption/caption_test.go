package caption_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"almanac/internal/chart/caption"
	"almanac/internal/stat"
)

var update = flag.Bool("update", false, "write the captions to testdata")

// TestCaptions compares captions with the expected ones. A case in testdata/captions.txt
// begins with a line with #, which names it. Then come the dataset and one dimension a line:
//
//	dataset CODE | title | unit
//	dim ID | label | role | codes, with "=" and a label, the drawn one first; "*" alone: several are drawn
//	title the caller's title
//
// After a line ---- come title, parts and unit of the caption.
func TestCaptions(t *testing.T) {
	const file = "testdata/captions.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	for i, c := range cases {
		question, want, _ := strings.Cut(c, "\n----\n")
		p := read(t, question)
		p.Unit = caption.UnitOf(p.Dataset, p.Key, "")
		got := caption.Of(p)
		lines := "title: " + got.Title
		if got.Parts != nil {
			lines += "\nparts: " + strings.Join(got.Parts, " · ")
		}
		if got.Unit != "" {
			lines += "\nunit: " + got.Unit
		}
		if p.Unit != got.Unit {
			lines += "\nunit of the values: " + p.Unit
		}
		cases[i] = question + "\n----\n" + lines
		name, _, _ := strings.Cut(question, "\n")
		t.Run(strings.TrimPrefix(name, "# "), func(t *testing.T) {
			if lines != want && !*update {
				t.Errorf("got:\n%s\nwant:\n%s", lines, want)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(cases, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, question string) *caption.Picture {
	p := &caption.Picture{Dataset: &stat.Dataset{}}
	for line := range strings.Lines(question) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		fields := strings.Split(rest, "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		switch kind {
		case "#":
		case "dataset":
			p.Dataset.Code, p.Dataset.Name, p.Dataset.Unit = fields[0], fields[1], strings.Join(fields[2:], "")
		case "title":
			p.Title = rest
		case "dim":
			d := stat.Dimension{ID: fields[0], Label: fields[1], Role: stat.Role(fields[2])}
			for text := range strings.SplitSeq(fields[3], "; ") {
				id, label, ok := strings.Cut(text, "=")
				if id == "*" {
					p.Varies = append(p.Varies, len(p.Dataset.Dimensions))
					continue
				}
				if !ok {
					label = id
				}
				label, unit, _ := strings.Cut(label, " in ")
				d.Codes = append(d.Codes, stat.Code{ID: id, Label: label, Unit: unit})
			}
			p.Dataset.Dimensions = append(p.Dataset.Dimensions, d)
			p.Key = append(p.Key, 0)
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	return p
}

func TestUnitOfTitle(t *testing.T) {
	for title, want := range map[string]string{
		"GDP (current US$)": "current US$",
		"Unemployment, total (% of total labor force) (modeled ILO estimate)": "% of total labor force",
		"Fertility rate, total (births per woman)":                            "births per woman",
		"Medical doctors (per 10,000)":                                        "per 10,000",
		"24369 - Taxa de desocupação - PNADC - %":                             "%",
		"Absolute value in thousands":                                         "thousands",
		"GDP in billions of current dollars":                                  "billions of current dollars",
		"Consumer prices (2015 = 100)":                                        "2015 = 100",
		"Population (persons) 1/":                                             "persons",
		"GDP and expenditure (million euro and % of GDP)":                     "",
		"Young people (NEET rates) (from 2008)":                               "",
		"Population, total":                                                   "",
		"East Asia & Pacific (excluding high income)":                         "",
	} {
		if got := caption.UnitOf(&stat.Dataset{Name: title}, nil, ""); got != want {
			t.Errorf("the unit of %q is %q, want %q", title, got, want)
		}
	}
}

func TestIsFiller(t *testing.T) {
	for label, want := range map[string]bool{
		"Total": true, "_Z": true, "Both sexes": true, "Insgesamt": true, "総数": true, "Area type: National": true, "": true,
		"All items": false, "Females": false, "Total economy": false, "World": false, "15 years and over": false, "Not specified": false,
	} {
		if got := caption.IsFiller(label); got != want {
			t.Errorf("IsFiller(%q) = %v", label, got)
		}
	}
}
