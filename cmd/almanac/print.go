package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

type streams struct {
	stdout io.Writer
	stderr io.Writer
}

// jsonFlag gives the Run methods a printer.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

func (f *jsonFlag) ProvidePrinter(out streams) printer { return printer{out, f.JSON} }

// printer prints the results of a command: text to standard output, or JSON to
// standard output and the text to standard error.
type printer struct {
	streams
	json bool
}

// object prints v if --json is given.
func (p printer) object(v any) error {
	if !p.json {
		return nil
	}
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// result prints a change as a sentence, and as JSON if --json is given.
func (p printer) result(v any, sentence string) error {
	return p.outcome(v, sentence+"\n", false)
}

// outcome prints the outcome of a file or an item as text, and as JSON if --json
// is given. The text of a failure goes to standard error.
func (p printer) outcome(v any, text string, isFailure bool) error {
	w := p.stdout
	if p.json || isFailure {
		w = p.stderr
	}
	_, err := fmt.Fprint(w, printable(text))
	return errors.Join(p.object(v), err)
}

// each calls do for each argument until ctx ends. A failure is printed and the next
// argument follows.
func (p printer) each(ctx context.Context, args []string, do func(string) error) (err error) {
	for _, arg := range args {
		failure := do(arg)
		if ctx.Err() != nil {
			return errors.New("interrupted: the remaining arguments were not processed")
		}
		if failure != nil {
			printError(p.stderr, errors.New(printable(failure.Error())))
			err = errReported
		}
	}
	return err
}

// change is the result of a command in JSON.
type change struct {
	ID     int    `json:"id,omitempty"`
	Code   string `json:"code,omitempty"`
	Ref    string `json:"ref,omitempty"`
	Status string `json:"status"`
}

// printList prints items as one JSON object a line, or as a table. heading and
// the lines separate their columns by tabs.
func printList[T any](p printer, heading string, items []T, line func(T) string) error {
	if p.json {
		for _, item := range items {
			if err := p.object(item); err != nil {
				return err
			}
		}
		return nil
	}
	table := newTable(p.stdout)
	fmt.Fprintln(table, heading)
	for _, item := range items {
		fmt.Fprintln(table, line(item))
	}
	return table.Flush()
}

// printFields prints names and values in two columns; empty values are left out.
func printFields(table io.Writer, fields [][2]string) {
	for _, field := range fields {
		if field[1] != "" {
			fmt.Fprintf(table, "%s\t%s\n", field[0], printable(field[1]))
		}
	}
}

// printable makes text from a file safe for a terminal: it replaces characters
// that move the cursor or change the direction of writing.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(printable(text))
}

// countOf formats a count: "1 period", "2 periods".
func countOf(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// toSecond and toMinute format times in UTC for tables, a zero time as a dash.
func toSecond(t time.Time) string { return timeText(t, time.DateTime) }
func toMinute(t time.Time) string { return timeText(t, "2006-01-02 15:04") }

func timeText(t time.Time, layout string) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(layout)
}

// spanText formats a duration in its largest whole unit: 7d, 6h, 90m, 45s, 1m30s.
// A zero duration is empty.
func spanText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	for _, unit := range []struct {
		span time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if d >= unit.span && d%unit.span == 0 {
			return fmt.Sprintf("%d%s", d/unit.span, unit.name)
		}
	}
	return d.String()
}

// tookText formats a duration with two units at most.
func tookText(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// flagText formats a flag with its value for a shell. A value that begins with
// a dash needs an equals sign, or it would be taken for another flag.
func flagText(flag, value string) string {
	if strings.HasPrefix(value, "-") {
		return flag + "=" + shellWord(value)
	}
	return flag + " " + shellWord(value)
}

// shellWord quotes a text as one word for a shell.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if text != "" && strings.TrimFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
