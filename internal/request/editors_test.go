package request_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/defaults"
	"almanac/internal/geo"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// What the rules and the editors must agree on.
const (
	wantedDimensions = 0.92 // of the dimensions
	wantedPeriods    = 0.92 // of the periods
	wantedAreas      = 0.8  // of the areas that pictures must name
	maxUnwanted      = 5    // pictures that name an area that they must not name
	wantedBestKnown  = 36   // of the best-known datasets, of which
	minBestKnown     = 40   // there are so many,
	minUnlisted      = 20   // of them outside the table of well-known datasets
	mostAreas        = 0.75 // of the areas of one picture, for agreement on it
)

// Editors choose as the rules do, in most of the offices' files.
func TestEditors(t *testing.T) {
	text, err := os.ReadFile("testdata/editors.txt")
	if err != nil {
		t.Fatal(err)
	}
	files := newEditedFiles(t)
	var all, bestKnown editorsTally
	unlisted := 0
	for line := range strings.Lines(string(text)) {
		file, choices, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(file, "#") {
			continue
		}
		file, isBestKnown := strings.CutPrefix(file, "*")
		v := files.open(t, file)
		one := compareWithEditor(t, file, v, choices)
		all.add(one)
		if !isBestKnown {
			continue
		}
		bestKnown.add(one)
		if _, isListed := defaults.LookUp(v.Dataset.Source.ID, v.Dataset.Code); !isListed {
			unlisted++
		}
		if one.agrees() {
			bestKnown.whole++
		} else {
			t.Logf("%s: the default of a best-known dataset is another one", file)
		}
	}
	all.dimensions.check(t, "dimensions", wantedDimensions)
	all.periods.check(t, "periods", wantedPeriods)
	all.areas.check(t, "areas", wantedAreas)
	if all.unwanted > maxUnwanted {
		t.Errorf("%d pictures name areas that they must not name, want at most %d", all.unwanted, maxUnwanted)
	}
	t.Logf("%d of %d best-known datasets as the editor, %d of them outside the table", bestKnown.whole, bestKnown.periods.all, unlisted)
	if bestKnown.periods.all < minBestKnown || bestKnown.whole < wantedBestKnown || unlisted < minUnlisted {
		t.Errorf("want %d of %d best-known datasets, %d of them outside the table", wantedBestKnown, minBestKnown, minUnlisted)
	}
}

// editedFiles are the files of the editors' tables in a store.
type editedFiles struct {
	dir      string
	store    *store.Store
	imported map[string][]importer.Outcome
}

func newEditedFiles(t *testing.T) *editedFiles {
	t.Helper()
	dir := stattest.DataDir(t)
	stattest.SampleMore(t, "fred-graph/fredgraph.csv") // skips the test if the folder is missing
	return &editedFiles{dir: dir, store: newStore(t), imported: map[string][]importer.Outcome{}}
}

// open returns the first dataset of a file, or the one whose code ends with what stands
// after " #".
func (f *editedFiles) open(t *testing.T, file string) *store.Vintage {
	t.Helper()
	name, code, _ := strings.Cut(file, " #")
	for _, noGeo := range []bool{false, true} { // prices of the world's markets have no geography
		if len(f.imported[name]) > 0 && f.imported[name][0].Status != importer.Refused {
			break
		}
		f.imported[name] = importFile(t, f.store, filepath.Join(f.dir, filepath.FromSlash(name)), importer.Options{NoGeo: noGeo})
	}
	for _, o := range f.imported[name] {
		v, err := f.store.Vintage(context.Background(), o.ID)
		if err != nil {
			t.Fatalf("%s: %v: %s", file, err, o.Error)
		}
		if strings.HasSuffix(strings.ToLower(v.Dataset.Code), strings.ToLower(code)) {
			return v
		}
	}
	t.Fatalf("%s has no such dataset", file)
	return nil
}

// editorsTally counts choices of editors, and those that are ours too.
type editorsTally struct {
	dimensions, periods, areas agreement
	unwanted                   int // pictures
	whole                      int // datasets on which all agrees
}

func (c *editorsTally) add(one editorsTally) {
	c.dimensions.sum(one.dimensions)
	c.periods.sum(one.periods)
	c.areas.sum(one.areas)
	c.unwanted += one.unwanted
}

// agrees reports whether the default of one dataset is the editor's, but for few areas.
func (c *editorsTally) agrees() bool {
	return c.dimensions.share() == 1 && c.periods.share() == 1 && c.areas.share() >= mostAreas && c.unwanted == 0
}

type agreement struct{ all, equal int }

func (a *agreement) add(isEqual bool) {
	a.all++
	if isEqual {
		a.equal++
	}
}

func (a *agreement) sum(b agreement) { a.all, a.equal = a.all+b.all, a.equal+b.equal }

// share is 1 if there was nothing to choose.
func (a *agreement) share() float64 {
	if a.all == 0 {
		return 1
	}
	return float64(a.equal) / float64(a.all)
}

func (a *agreement) check(t *testing.T, of string, least float64) {
	t.Helper()
	t.Logf("%d of %d %s as the editors (%.0f%%)", a.equal, a.all, of, 100*a.share())
	if a.all < 40 || a.share() < least {
		t.Errorf("%s: want %.0f%% of at least 40", of, 100*least)
	}
}

// compareWithEditor compares an editor's choices with the default series, its last observed
// period, and the areas that the default picture names.
func compareWithEditor(t *testing.T, file string, v *store.Vintage, choices string) (c editorsTally) {
	t.Helper()
	latest, err := v.Default()
	if err != nil {
		t.Fatal(err)
	}
	spec := defaultPicture(t, file, v)
	for choice := range strings.SplitSeq(choices, "; ") {
		id, accepted, _ := strings.Cut(choice, "=")
		wanted := strings.Split(accepted, "|")
		switch id {
		case "areas":
			for _, code := range wanted {
				c.areas.add(logged(t, isNamed(spec, v, code) || isNoted(spec, v, code), "%s: the picture does not name %s", file, code))
			}
		case "unwanted":
			if i := slices.IndexFunc(wanted, func(code string) bool { return isNamed(spec, v, code) && !hasNamesake(v, code) }); i >= 0 {
				c.unwanted++
				t.Logf("%s: the picture names %s", file, wanted[i])
			}
		case "period":
			ours := lastObserved(t, v, latest.Key)
			c.periods.add(logged(t, slices.Contains(wanted, ours), "%s: the period is %s, an editor chose %s", file, ours, accepted))
		default:
			axis := slices.IndexFunc(v.Dataset.Dimensions, func(d stat.Dimension) bool { return d.ID == id })
			if axis < 0 {
				t.Fatalf("%s has no dimension %s", file, id)
			}
			code := v.Dataset.Dimensions[axis].Codes[latest.Key[axis]]
			ours := []string{code.ID, code.Label, latest.Rules[axis]}
			isEqual := slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(ours, w) }) ||
				wanted[0] == "*" && !strings.Contains(spec.Subtitle, code.Label)
			c.dimensions.add(logged(t, isEqual, "%s: %s is %s, an editor chose %s", file, id, strings.Join(ours, ", "), accepted))
		}
	}
	return c
}

// logged returns isEqual, and logs what is not.
func logged(t *testing.T, isEqual bool, format string, args ...any) bool {
	t.Helper()
	if !isEqual {
		t.Logf(format, args...)
	}
	return isEqual
}

func lastObserved(t *testing.T, v *store.Vintage, key []int32) string {
	t.Helper()
	observed, err := v.LatestOf(codesOf(key), stat.LatestObserved)
	if err != nil {
		t.Fatal(err)
	}
	return observed.Period.String()
}

// defaultPicture returns the lines, or the bars if lines are not offered, of a request
// that chooses nothing.
func defaultPicture(t *testing.T, file string, v *store.Vintage) *chart.Spec {
	t.Helper()
	ctx := context.Background()
	c := &request.Chart{Options: chart.DefaultOptions()}
	c.Options.Type = chart.Line
	types, err := request.TypesFor(ctx, v, nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if !slices.Contains(types, chart.Line) && slices.Contains(types, chart.Bar) {
		c.Options.Type = chart.Bar
	}
	spec, _, err := request.Spec(ctx, v, c)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return spec
}

// isNamed reports whether a picture names an area at a line in colour, at a bar or in its
// subtitle, or whether the dataset has no other.
func isNamed(s *chart.Spec, v *store.Vintage, code string) bool {
	hasFocus := slices.ContainsFunc(s.Series, func(series chart.Series) bool { return series.Focus })
	return len(v.Dataset.Geography.Codes) == 1 || slices.ContainsFunc(namesOf(v, code), func(name string) bool {
		return strings.Contains(" · "+s.Subtitle+" · ", " · "+name+" · ") ||
			slices.ContainsFunc(s.Series, func(series chart.Series) bool { return (series.Focus || !hasFocus) && series.Label == name }) ||
			slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return c.Label == name })
	})
}

// isNoted reports whether a note names an area as what is too large for the scale.
func isNoted(s *chart.Spec, v *store.Vintage, code string) bool {
	return slices.ContainsFunc(namesOf(v, code), func(name string) bool {
		return slices.ContainsFunc(s.Notes, func(note string) bool { return strings.Contains(note, ": "+name+" (") })
	})
}

// namesOf returns the names that a picture may write for an area: "Spain" for the code
// "Total Nacional".
func namesOf(v *store.Vintage, code string) []string {
	codes := v.Dataset.Geography.Codes
	i := slices.IndexFunc(codes, func(c stat.Code) bool { return c.ID == code })
	if i < 0 {
		return nil
	}
	names := []string{codes[i].Label}
	if a, ok := geo.Find(codes[i].Area); ok {
		names = append(names, a.Name)
	}
	if short, ok := geo.ShortName(codes[i].Area); ok {
		names = append(names, short)
	}
	return names
}

// hasNamesake reports whether another area of the dataset has the same name in pictures, as
// all compositions of the European Union have.
func hasNamesake(v *store.Vintage, code string) bool {
	names := namesOf(v, code)
	return slices.ContainsFunc(v.Dataset.Geography.Codes, func(c stat.Code) bool {
		return c.ID != code && slices.ContainsFunc(namesOf(v, c.ID), func(n string) bool { return slices.Contains(names, n) })
	})
}
