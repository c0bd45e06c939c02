package format_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// pairs is a format of lines like "DE 2024 83.5", with the heading "pairs".
var pairs = format.Format{
	Name:      "pairs",
	Recognise: func(_ string, head []byte) bool { return strings.HasPrefix(string(head), "pairs\n") },
	Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		return func(yield func(*stat.Table, error) bool) { yield(readPairs(ctx, in)) }
	},
}

func readPairs(ctx context.Context, in format.Input) (*stat.Table, error) {
	t := assemble.New(ctx, in.Name)
	t.Dataset.Source = stat.Source{ID: "nso", Name: "National Statistical Office"}
	t.SetCode(in.Code)
	t.IgnorePeriod(in.Period)
	axes, err := t.SetDimensions([]stat.Dimension{{ID: "geo"}}, in.Geo)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(in.Data)
	if err != nil {
		return nil, err
	}
	return t.Reading(func() error {
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
			var area, period string
			o := stat.Observation{Key: t.Key, At: stat.Position{Line: i + 2}}
			if _, err := fmt.Sscan(line, &area, &period, &o.Value); err != nil {
				return stat.BadFile(o.At, "invalid line %q: must be an area, a year and a number", line)
			}
			if o.Period, err = stat.ParsePeriod(period); err != nil {
				return stat.BadFile(o.At, "%v", err)
			}
			t.Key[axes[0].At] = axes[0].Code([]byte(area))
			if err := t.YieldCell(&o, ""); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

// A file is recognised by its head, then its tables and their observations are ranged
// over. The key of an observation is valid until the next one.
func Example() {
	file := "pairs\nDE 2023 83.4\nDE 2024 83.5\nFR 2024 68.5\n"
	fmt.Println(pairs.Recognise("people", []byte(file)))
	in := format.Input{Name: "people", Data: strings.NewReader(file)}
	for table, err := range pairs.Read(context.Background(), in.Until(context.Background())) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for o, err := range table.Observations {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(table.Dataset.Geography.Codes[o.Key[0]].ID, o.Period, o.Value)
		}
		fmt.Println(table.Dataset.Code, table.Report.Read)
	}
	// Output:
	// true
	// DE 2023 83.4
	// DE 2024 83.5
	// FR 2024 68.5
	// people 3
}
