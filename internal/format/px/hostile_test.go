package px_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/px"
	"almanac/internal/stattest"
)

// head is a header to which tests add statements.
const head = "CHARSET=\"ANSI\";\nMATRIX=\"M\";\nSTUB=\"k\";\nHEADING=\"t\";\n" +
	"VALUES(\"k\")=\"a\";\nVALUES(\"t\")=\"2018\";\nTIMEVAL(\"t\")=TLIST(A1),\"2018\";\n"

// repeated is a text repeated many times, with texts before and after it.
type repeated struct {
	before, text, after string
	times               int
	numbered            bool // the text is a format for a number
}

// reader returns a reader of the text, which is never whole in memory.
func (r repeated) reader() io.Reader {
	parts := []io.Reader{strings.NewReader(r.before)}
	const chunk = 1 << 10
	for done := 0; done < r.times; done += chunk {
		n := min(chunk, r.times-done)
		if !r.numbered {
			parts = append(parts, strings.NewReader(strings.Repeat(r.text, n)))
			continue
		}
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, r.text, done+i)
		}
		parts = append(parts, strings.NewReader(b.String()))
	}
	return io.MultiReader(append(parts, strings.NewReader(r.after))...)
}

// TestHostile: files made to take endless memory or time are refused, or read, in bounded
// time.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct {
		file repeated
		want string // in the error; empty where the file is read
	}{
		"a text without end":                {repeated{before: head + "TITLE=\"", text: strings.Repeat("x", 1<<10), times: 70 << 10}, "no closing quotation mark"},
		"a text without end, passed":        {repeated{before: head + "INFO=\"", text: strings.Repeat("x", 1<<10), times: 70 << 10}, "no closing quotation mark"},
		"a million statements":              {repeated{before: head, text: "ELIMINATION(\"%d\")=YES;\n", times: 1 << 20, numbered: true}, "statements"},
		"millions of texts":                 {repeated{before: head + "CODES(\"k\")=\"a\"", text: ",\"\"", times: 5 << 20}, "texts"},
		"remarks on one place":              {repeated{before: head, text: "VALUENOTE(\"k\",\"a\")=\"%d\";\n", times: 1000, numbered: true, after: "DATA=1;"}, "about one place"},
		"markup without end":                {repeated{before: head + "NOTE=\"", text: "<a <", times: 1 << 20, after: "\";\nDATA=1;"}, ""},
		"an unknown keyword, repeated":      {repeated{before: head, text: "X(\"a\",\"b\",\"c\")[en];", times: 1}, "missing = after"},
		"line ends between cells":           {repeated{before: head + "DATA=", text: "\n", times: 1 << 20, after: "1;"}, ""},
		"a cell of a million digits":        {repeated{before: head + "DATA=", text: "1", times: 1 << 20}, "not a cell"},
		"a cell of a hundred thousand dots": {repeated{before: head + "DATA=\"", text: ".", times: 100_000}, "quotation mark"},
		"a keyword without end":             {repeated{text: "A", times: 1 << 20}, "missing = after"},
		"a language without end":            {repeated{before: "TITLE[", text: "e", times: 1 << 20}, "missing ]"},
		"brackets without end":              {repeated{before: "TITLE", text: "(", times: 1 << 20}, "quotation marks"},
		"a span of all days":                {repeated{before: strings.Replace(head, "TLIST(A1),\"2018\"", "TLIST(D1,\"10000101\"-\"99991231\")", 1), after: "DATA=1;"}, "periods"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.file.times == 1<<20 && c.file.numbered && stattest.Rounds(t, 0, 1) == 0 {
				t.Skip("takes seconds; make soak runs it")
			}
			in := format.Input{Name: "t.px", Data: c.file.reader()}
			in.Again = func() (io.ReadCloser, error) { return io.NopCloser(c.file.reader()), nil }
			err := readError(t, in)
			switch {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v; want %q", err, c.want)
			}
		})
	}
}

// readError reads a file to its end.
func readError(t *testing.T, in format.Input) error {
	for table, err := range px.Formats()[0].Read(t.Context(), in) {
		if err != nil {
			return err
		}
		for _, err := range table.Observations {
			if err != nil {
				return err
			}
		}
	}
	return nil
}
