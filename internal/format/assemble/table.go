package assemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Table is a dataset while a reader assembles it. A reader makes one for each dataset of
// its file. While it reads the structure it calls [Table.SetCode], [Table.SetDimensions],
// and [Table.FilePeriod] or [Table.IgnorePeriod], and then [Table.Reading] with the
// function that reads the observations. That function passes every cell to [Table.YieldCell],
// or counts it itself and passes it to [Table.Yield], and returns their error.
type Table struct {
	stat.Table         // what the reader returns; Reading sets its Observations
	Key        []int32 // for the observations; SetDimensions makes it

	ctx     context.Context
	file    string
	yield   func(stat.Observation, error) bool
	yielded int
}

// New returns an empty table of a file. Its observations end when ctx is done.
func New(ctx context.Context, file string) *Table {
	return &Table{Table: stat.Table{Dataset: &stat.Dataset{}, Report: &stat.Report{}}, ctx: ctx, file: file}
}

// SetCode sets the code to the first of codes that is not empty, else to one made of
// the file's name.
func (t *Table) SetCode(codes ...string) {
	if t.Dataset.Code = cmp.Or(codes...); t.Dataset.Code == "" {
		t.Dataset.Code = CodeFromName(t.file, t.Report)
	}
}

// FilePeriod returns the period that the caller states for a file without times, or the
// error missing, which suggests to state one, if the caller states none. For a file with
// times it returns no period.
func (t *Table) FilePeriod(hasTimes bool, stated string, missing error) (stat.Period, error) {
	switch {
	case hasTimes:
		t.IgnorePeriod(stated)
		return stat.Period{}, nil
	case stated == "" && stat.ReadingsOf(missing) == nil:
		return stat.Period{}, stat.Suggest(missing, stat.Suggestion{Option: "period", Value: stat.AnyPeriod})
	case stated == "":
		return stat.Period{}, missing
	}
	p, err := stat.ParsePeriod(stated)
	if err != nil {
		return p, stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
	}
	return p, nil
}

// IgnorePeriod notes a period that the caller states for a file with times.
func (t *Table) IgnorePeriod(stated string) {
	if stated != "" {
		t.Report.Add(stat.NotePeriodNotUsed, 1, stated)
	}
}

// SetDimensions is [Table.Arrange] with the geography that [Geography] chooses.
func (t *Table) SetDimensions(dims []stat.Dimension, statedGeo string) ([]*Axis, error) {
	geo, err := Geography(dims, statedGeo)
	if err != nil {
		return nil, err
	}
	return t.Arrange(dims, geo), nil
}

// NoteSelection is the kind of note for a file that states that it is a selection of
// a dataset: "64 of 1005436 observations".
const NoteSelection = "selection"

// Selection notes that a file is a selection of the dataset with the code, in the
// words of the file. The table becomes partial, so that it never replaces the whole,
// unless the caller states another code and so makes it a dataset of its own.
func (t *Table) Selection(words, code, statedCode string) {
	t.Report.Add(NoteSelection, 1, words)
	if statedCode == "" || strings.EqualFold(statedCode, code) {
		t.Partial, t.Share = words, stat.Share{}
	}
}

// maxUndated bounds the undated marks of a dataset.
const maxUndated = 1000

// Undated adds a text in place of a period to the undated marks of the dataset.
func (t *Table) Undated(mark string) {
	if d := t.Dataset; len(d.Undated) < maxUndated && !slices.Contains(d.Undated, mark) {
		d.Undated = append(d.Undated, strings.Clone(mark))
	}
}

// LabelPeriod keeps the source's own text of a period, such as a span of years.
func (t *Table) LabelPeriod(p stat.Period, text string) {
	if t.Dataset.PeriodLabels == nil {
		t.Dataset.PeriodLabels = map[stat.Period]string{}
	}
	t.Dataset.PeriodLabels[p] = strings.Clone(text)
}

// errStop ends the reading after the caller stops ranging over the observations.
var errStop = errors.New("no more observations are wanted")

// Reading returns the finished table. read reads the observations when the caller
// ranges over them; its error ends them.
func (t *Table) Reading(read func() error) *stat.Table {
	t.Observations = func(yield func(stat.Observation, error) bool) {
		t.yield = yield
		if err := read(); err != nil && !errors.Is(err, errStop) {
			yield(stat.Observation{}, err)
		}
	}
	return &t.Table
}

// YieldCell counts a cell and yields it, unless it is empty. A cell without a period is
// dropped with a note whose example is undated.
func (t *Table) YieldCell(o *stat.Observation, undated string) error {
	t.Report.Read++
	switch {
	case math.IsNaN(o.Value):
		t.Report.Missing++
		if o.Period.IsZero() || o.Flags == "" && o.Note == "" {
			return nil
		}
	case o.Period.IsZero():
		t.Report.Add(stat.NoteUndated, 1, undated)
		return nil
	}
	return t.Yield(o)
}

// checkEvery is the number of observations between checks of the context.
const checkEvery = 256

// Err returns the error of the context, for readers that check it more often than
// [Table.Yield].
func (t *Table) Err() error { return t.ctx.Err() }

// Yield passes on an observation that the reader has counted. After an error reading
// must end: the context is done, or no more observations are wanted.
func (t *Table) Yield(o *stat.Observation) error {
	if t.yielded++; t.yielded%checkEvery == 1 && t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if !t.yield(*o, nil) {
		return errStop
	}
	return nil
}

// Place returns the place of an observation in its dataset: "B1GQ,DE 2014".
func Place(d *stat.Dataset, o *stat.Observation) string {
	var ids []string
	for i, axis := range d.Axes() {
		if int(o.Key[i]) < len(axis.Codes) {
			ids = append(ids, axis.Codes[o.Key[i]].ID)
		}
	}
	return strings.Join(ids, ",") + " " + o.Period.String()
}

// Where returns the place of an observation for a note: "line 3: B1GQ,DE 2014".
func Where(d *stat.Dataset, o *stat.Observation) string {
	return fmt.Sprintf("line %d: %s", o.At.Line, Place(d, o))
}
