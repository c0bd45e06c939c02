package crosstab_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/formattest"
	formattext "almanac/internal/format/text"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// text is the format of text files. Package plain decides between it and plain tables.
var text = format.Format{
	Name:      "crosstab",
	Recognise: func(_ string, head []byte) bool { return crosstab.Recognise(head) },
	Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		file, err := in.Again()
		var head []byte
		if err == nil {
			defer file.Close()
			head, err = io.ReadAll(formattext.LineErrors(file))
		}
		layout, separator := crosstab.FindText(head)
		if err == nil && layout == nil {
			err = stat.BadFile(stat.Position{Line: 1}, "no cross table")
		}
		if err != nil {
			return func(yield func(*stat.Table, error) bool) { yield(nil, err) }
		}
		return crosstab.ReadText(ctx, in, layout, separator)
	},
}

func TestCases(t *testing.T) { stattest.Cases(t, []format.Format{text}) }

const (
	series = "Rates,,\nTitle,Cash,Bonds\nUnits,Per cent,Index\nSeries ID,CASH.1,BOND.1\n2024-01,4.35,..\n2024-02,4.1,3.5\n2024-03,4.1,\n"
	across = "Persons;;;;\n;Men;;Women;\n;2023;2024;2023;2024\nNorth;1,5;2,5;3,5;-\nSouth;1,0;2,0;3,0;4,0\n© Office\n"
)

func TestConform(t *testing.T) {
	formattest.Conform(t, text, formattest.Sample{Name: "rates.csv", Data: []byte(series)})
	formattest.Conform(t, text, formattest.Sample{Name: "persons.csv", Data: []byte(across)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, text, formattest.Sample{Name: "rates.csv", Data: []byte(series)}, formattest.Sample{Name: "persons.csv", Data: []byte(across)},
		formattest.Sample{Name: "m.csv", Data: []byte("T\nMonth,2022,2023\nJanuary,1,2\nFebruary,1,2\nMarch,1,2\nYear,1,2\n")})
}

// TestManyRows checks that the layout of a long table is that of its first rows.
func TestManyRows(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("Title,A,B\nUnit,m,kg\nSeries ID,A.1,B.1\n")
	for year := range 40 {
		for month := range 12 {
			b.WriteString(stat.NewPeriod(stat.Month, 1980+year, month+1).SDMX() + ",1.5,2\n")
		}
	}
	tables, err := formattest.Read(t.Context(), text, formattest.Sample{Name: "long.csv", Data: b.Bytes()})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tables[0].All); n != 960 {
		t.Errorf("%d observations, want 960", n)
	}
}
