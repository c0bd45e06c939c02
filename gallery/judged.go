package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// How judges can find a picture.
const (
	toPrint = "print"
	nearly  = "nearly"
	no      = "no"
)

// judgement is what three judges, independently, said of a picture.
type judgement struct {
	picture
	verdicts [3]string
	reason   string // what is wrong, unless all said print
}

// agreed reports whether at least two of the judges gave a verdict.
func (j *judgement) agreed(verdict string) bool {
	n := 0
	for _, v := range j.verdicts {
		if v == verdict {
			n++
		}
	}
	return n >= 2
}

// writeJudgements draws the default pictures of the datasets below the folder data on sheets
// in docs/img/defaults, and lists the verdicts of a file on them in docs/charts.md. Each row of
// the file has the name of a picture, without "default-", three verdicts and a reason.
func writeJudgements(ctx context.Context, data, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	defaults, err := allDefaults(ctx, data, thumbnailSize)
	if err != nil {
		return err
	}
	judged, err := readJudgements(string(text), defaults.Pictures)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := writeSheets("docs/img/defaults", judged); err != nil {
		return err
	}
	return replaceList("docs/charts.md", listOf(judged, defaults.Undrawn))
}

// readJudgements returns the judgement of each picture, in the order of the pictures. Each
// picture has one, and there are no others.
func readJudgements(table string, pictures []picture) ([]judgement, error) {
	rows := map[string]judgement{}
	var errs []error
	for _, fields := range tableRows(table) {
		fields = append(fields, "")
		if len(fields) < 5 {
			errs = append(errs, fmt.Errorf("%s: want three verdicts", fields[0]))
			continue
		}
		j := judgement{verdicts: [3]string(fields[1:4]), reason: fields[4]}
		for _, v := range j.verdicts {
			if v != toPrint && v != nearly && v != no {
				errs = append(errs, fmt.Errorf("%s: invalid verdict %q: want %s, %s or %s", fields[0], v, toPrint, nearly, no))
			}
		}
		rows[fields[0]] = j
	}
	var judged []judgement
	for _, p := range pictures {
		name := strings.TrimPrefix(p.Name, "default-")
		j, ok := rows[name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: no verdicts", name))
		}
		delete(rows, name)
		j.picture = p
		judged = append(judged, j)
	}
	for name := range rows {
		errs = append(errs, fmt.Errorf("%s: no such picture", name))
	}
	return judged, errors.Join(errs...)
}

// listOf writes the sheets and, below each, the verdicts on its pictures as Markdown, then the
// datasets without a picture.
func listOf(judged []judgement, without []undrawn) string {
	var printed, refused int
	for _, j := range judged {
		if j.agreed(toPrint) {
			printed++
		}
		if j.agreed(no) {
			refused++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Of %d pictures, at least two of the three judges would print %d (%d %%) and refuse %d.\n", len(judged), printed, printed*100/max(1, len(judged)), refused)
	for i, j := range judged {
		if i%perSheet == 0 {
			name := "img/defaults/" + sheetName(i/perSheet)
			last := min(i+perSheet, len(judged))
			fmt.Fprintf(&b, "\n[![Default pictures %d to %d](%s)](%s)\n\n| | dataset | office | type | verdicts | reason |\n|---|---|---|---|---|---|\n", i+1, last, name, name)
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s |\n", i+1, cell(j.Code), cell(j.Office), j.Spec.Type, strings.Join(j.verdicts[:], ", "), cell(j.reason))
	}
	if len(without) > 0 {
		b.WriteString("\nNo picture of these datasets is offered:\n\n| dataset | office | file | reason |\n|---|---|---|---|\n")
	}
	for _, u := range without {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(u.Code), cell(u.Office), cell(u.File), cell(u.Reason))
	}
	return b.String()
}

// cell escapes the text of a table's cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "\n", " ").Replace(text)
}

// Lines between which docs/charts.md has the list.
const (
	listBegins = "<!-- go run ./gallery -judged gallery/verdicts.tsv writes what follows. -->\n"
	listEnds   = "<!-- End of the list. -->\n"
)

// replaceList replaces the list in a file.
func replaceList(file, list string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, hasBegin := strings.Cut(string(text), listBegins)
	_, after, hasEnd := strings.Cut(rest, listEnds)
	if !hasBegin || !hasEnd {
		return fmt.Errorf("%s has no place for the list: want the lines %q and %q", file, listBegins, listEnds)
	}
	return os.WriteFile(file, []byte(before+listBegins+"\n"+list+"\n"+listEnds+after), 0o644)
}
