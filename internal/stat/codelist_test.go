package stat

import (
	"strings"
	"testing"
	"time"
)

// list returns the list that a text such as "version: A Annual, M Monthly" describes. A
// version in brackets is that of a partial list.
func list(text string) *CodeList {
	version, codes, _ := strings.Cut(text, ": ")
	l := &CodeList{Name: "CL_FREQ", Version: strings.Trim(version, "()"), Partial: strings.HasPrefix(version, "(")}
	for part := range strings.SplitSeq(codes, ", ") {
		id, label, _ := strings.Cut(part, " ")
		l.Codes = append(l.Codes, Code{ID: id, Label: label})
	}
	return l
}

func text(l *CodeList) string {
	var codes []string
	for _, c := range l.Codes {
		codes = append(codes, strings.TrimSpace(c.ID+" "+c.Label))
	}
	return strings.Join(codes, ", ")
}

// A code has the label of the newest list that has one. The order is that of the
// complete lists, newest first, then that of the partial ones. The order of the
// arguments matters only among equal versions.
func TestNewestCodes(t *testing.T) {
	for _, c := range []struct {
		rule  string
		lists []string
		want  string
	}{
		{"the newest label counts", []string{"1.0: A Old", "2.0: A New"}, "A New"},
		{"older lists fill in", []string{"2.0: B Bee", "1.0: A Ay, B Bi"}, "B Bee, A Ay"},
		{"numbers are compared as numbers", []string{"9.2: A Nine", "23.1: A Twenty-three"}, "A Twenty-three"},
		{"what has no version is older, by year", []string{"0.2021: A Dic", "0: A Older, B Bee", "1.0: C Numbered"}, "C Numbered, A Dic, B Bee"},
		{"a list without a label takes none away", []string{"2.0: A", "1.0: A Ay"}, "A Ay"},
		{"partial lists do not set the order", []string{"(3.0): B Bee, A Ay", "1.0: A Old, C Cee, B Bi"}, "A Ay, C Cee, B Bee"},
		{"but that of what no whole list has", []string{"(3.0): X Ex, B Bee", "(4.0): Y Wy", "1.0: B Bi"}, "B Bee, Y Wy, X Ex"},
		{"of equal versions the first counts", []string{"1.0: A First", "1.0: A Second, B Bee"}, "A First, B Bee"},
	} {
		var lists, back []*CodeList
		for _, l := range c.lists {
			lists = append(lists, list(l))
			back = append([]*CodeList{list(l)}, back...)
		}
		if got := text(NewestCodes(lists...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
		if got := text(NewestCodes(back...)); got != c.want && !strings.HasPrefix(c.rule, "of equal") {
			t.Errorf("%s, in the other order: %s, want %s", c.rule, got, c.want)
		}
		// Merging step by step has the same result.
		step := lists[0]
		for _, next := range lists[1:] {
			step = NewestCodes(step, next)
			var origins []Origin
			for i := range step.Codes {
				origins = append(origins, step.Origin(i))
			}
			step = RestoreCodeList(*step, origins)
		}
		if got := text(step); got != c.want {
			t.Errorf("%s, step by step: %s, want %s", c.rule, got, c.want)
		}
	}
}

// The newest file has precedence. The components of a dataset come from one file, and so
// do its times of update.
func TestNewestDictionary(t *testing.T) {
	day := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
	contents2023, contents2015, structure := NewDictionary("eurostat"), NewDictionary("eurostat"), NewDictionary("eurostat")
	contents2023.Prepared, contents2015.Prepared, structure.Prepared = day(2023), day(2015), day(2016)
	contents2023.Structures["x"] = &Structure{ID: "x", Title: "New", Listed: day(2023)}
	contents2015.Structures["x"] = &Structure{ID: "X", Title: "Old", Listed: day(2015), MetadataURL: "https://example.org"}
	structure.Structures["x_dsd"] = &Structure{ID: "x_DSD", Dimensions: []Component{{ID: "geo", Label: "Area", List: "CL_GEO"}}, Time: "TIME_PERIOD"}
	structure.Structures["x"] = &Structure{ID: "x", Uses: "x_DSD"}
	structure.Lists["geo"] = list("1.0: AT Austria")
	d := Newest("eurostat", contents2015, structure, contents2023)
	about := d.About("X")
	if about.Title != "New" || !about.Listed.Equal(day(2023)) || about.MetadataURL == "" {
		t.Errorf("%+v, want what the newest contents say, and the address of the older", about)
	}
	if d.Label("x", "GEO") != "Area" || !d.States("x", "geo") || text(d.List("x", "geo")) != "AT Austria" || d.States("y", "geo") || d.List("y", "geo") == nil {
		t.Errorf("%+v, want the dimension of the structure that the dataset uses", d.Structure("x"))
	}
	imported := NewDictionary("eurostat")
	imported.Lists["geo"] = list("9.0: AT Österreich, DE Deutschland")
	if got := text(d.Over(imported).List("x", "geo")); got != "AT Austria, DE Deutschland" {
		t.Errorf("%s, want that a companion has precedence over earlier imports", got)
	}
	var none *Dictionary
	if none.List("x", "geo") != nil || none.Label("x", "geo") != "" || none.About("x").Title != "" || none.States("x", "geo") || none.Over(d) != d || d.Over(none) != d {
		t.Error("a nil dictionary is not empty")
	}
}
