package crosstab_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/formattest"
	"almanac/internal/format/table"
	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// sheetRows are the rows of a sheet, given as text.
type sheetRows struct {
	table.Rows
	merged []workbook.Span
}

func (s sheetRows) IsNumber(int) bool                { return false }
func (s sheetRows) ShownAs(int) string               { return "" }
func (s sheetRows) Merged() ([]workbook.Span, error) { return s.merged, nil }
func (s sheetRows) Close() error                     { return nil }

var _ workbook.Rows = sheetRows{}

// sheet is the format of a sheet that is given as text.
func sheet(merged ...workbook.Span) format.Format {
	return format.Format{Name: "sheet", Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		open := func() (table.Rows, error) {
			file, err := in.Again()
			return sheetRows{table.NewTextRows(file, ','), merged}, err
		}
		rows, err := open()
		layout := &crosstab.Layout{}
		if err == nil {
			layout, err = crosstab.FindRows(rows)
		}
		if err != nil || layout == nil {
			return func(yield func(*stat.Table, error) bool) { yield(nil, errors.Join(errors.New("no cross table"), err)) }
		}
		return crosstab.ReadRows(ctx, in, open, layout)
	}}
}

// TestMergedHeadings checks that a merged heading ends where its cells do, and that one
// beside it that is not merged covers columns as in text.
func TestMergedHeadings(t *testing.T) {
	const text = "Table 7,,,,\n,Ratio,,,\n,Young,,Fertility,\nCountry,2010,2020,2010,2020\nNorway,1.5,2.5,3.5,4.5\nPeru,1.5,2.5,3.5,4.5\nKenya,1.5,2.5,3.5,4.5\n"
	ratio := workbook.Span{Top: 2, Bottom: 2, Left: 2, Right: 3}
	for _, c := range []struct {
		merged []workbook.Span
		want   []string
	}{
		{nil, []string{"Young", "Fertility"}}, // one heading above all is a title
		{[]workbook.Span{ratio}, []string{"Ratio Young", "Fertility"}},
	} {
		read := formattest.ReadOne(t, sheet(c.merged...), formattest.Sample{Name: "table.xlsx", Data: []byte(text)})
		var got []string
		for _, code := range read.Dataset.Dimensions[0].Codes {
			got = append(got, code.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("with %d merged headings: %q, want %q", len(c.merged), got, c.want)
		}
	}
}
