// Package stat is the vocabulary of Almanac: statistical terms as types, with
// their rules. It does no I/O and imports no other package of Almanac.
//
// The terms are those of SDMX. An office publishes a [Dataset]; a dataset has
// [Dimension]s, one of which is its geography; each position of a dimension
// is a [Code] with a label. Time is not a dimension here but the [Period] of
// each [Observation]. A file is read as a [Table]: structure first, then a
// stream of observations. An import stores a [Vintage], which never changes. A
// [Query] selects from a vintage and returns an [Extract].
package stat

import (
	"cmp"
	"iter"
	"time"
)

// Role is the meaning of a dimension.
type Role string

// The roles of a dimension. Time is not a dimension and has no role.
const (
	RoleOther     Role = "other"
	RoleGeo       Role = "geo"
	RoleUnit      Role = "unit"
	RoleFrequency Role = "frequency"
)

// MaxDimensions is the maximum number of dimensions in a key, besides geography
// and time: the API names them dim1 … dim8.
const MaxDimensions = 8

// Source is the office that published a dataset.
type Source struct {
	ID   string `json:"id"`   // lower case, stable: "eurostat"
	Name string `json:"name"` // for people: "Eurostat"
	URL  string `json:"url,omitempty"`
}

// LocalSource is the ID of the source of files that state no other. Each of them may name its
// publisher.
const LocalSource = "local"

// Code is one position of a dimension: an ID for machines, a label for people.
type Code struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"` // unique and not empty in the store; before, empty if unknown
	Unit  string `json:"unit,omitempty"`  // unit stated for this code, if it is a measure
	// SourceLabel is the source's label if Label differs from it because another
	// code of the dataset has or had the same label.
	SourceLabel string `json:"source_label,omitempty"`
	// Area is the area of a geography code as in available_geo: ISO 3166-1 alpha-2,
	// else the source's own code.
	Area string `json:"area,omitempty"`
	// Parents are the IDs of the codes of the dimension that are directly above the code in
	// the office's hierarchy: mostly one, none if the office states none.
	Parents []string `json:"parents,omitempty"`
}

// Dimension is an axis of a dataset. Codes have the order of the source's code
// list, or of their first appearance if there is no list.
type Dimension struct {
	ID    string `json:"id"`              // as the source writes it: "na_item"
	Label string `json:"label,omitempty"` // not empty in the store; before, empty if unknown
	Role  Role   `json:"role"`
	// Total is the ID of the code that the office declares as the total (PX
	// ELIMINATION, eliminationValueCode); empty if there is none.
	Total string `json:"total,omitempty"`
	Codes []Code `json:"codes"`
	// Former maps labels of earlier vintages that no code has now to the ID of the
	// code that had them first.
	Former map[string]string `json:"former,omitempty"`
	// Default is the ID of the code that a curator chose for the default series;
	// empty if none.
	Default string `json:"default,omitempty"`
}

// Positions returns the position of each code by its ID.
func (d *Dimension) Positions() map[string]int32 { return positionsOf(d.Codes) }

// Published maps all current and former labels to the ID of the code that had them
// first.
func (d *Dimension) Published() map[string]string {
	owner := make(map[string]string, len(d.Codes)+len(d.Former))
	for _, c := range d.Codes {
		owner[c.Label] = c.ID
	}
	for label, id := range d.Former {
		owner[label] = id
	}
	return owner
}

// FixedDimension is a dimension with a single code that is not in the key, because
// the dataset has more dimensions than [MaxDimensions].
type FixedDimension struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Role  Role   `json:"role"`
	Code  Code   `json:"code"`
	// Place is the dimension's place, from 1, among all of the source but time: those in the key,
	// the geography and the fixed ones. 0 if it is not known, as in datasets that were stored
	// before places were kept.
	Place int `json:"place,omitempty"`
}

// Dataset is the metadata and structure of one published table.
type Dataset struct {
	ID          int    `json:"id,omitempty"` // assigned by the store, never reused
	Source      Source `json:"source"`
	Code        string `json:"code"` // the office's code; compares case-insensitively
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	SourceURL   string `json:"source_url,omitempty"`
	MetadataURL string `json:"metadata_url,omitempty"`
	Licence     string `json:"licence,omitempty"`
	Attribution string `json:"attribution,omitempty"`
	Unit        string `json:"unit,omitempty"` // if the whole dataset has one unit

	// Language is the language of the texts, see [LanguageTag]; empty if it is unknown.
	// Translations holds the texts in other languages. Until a reader's dataset is
	// completed it may hold those in its own language too.
	Language     string                  `json:"language,omitempty"`
	Translations map[string]*Translation `json:"translations,omitempty"`

	// Base is the dataset with the texts that everybody gets, if these are in the language
	// that a reader chose; else nil. It has the same codes in the same order.
	Base *Dataset `json:"-"`
	// Notes holds the notes on observations in the language of these texts by those of Base.
	Notes Notes `json:"-"`
	// SeriesUnits holds the units that are stated for series in the language of these texts by those of Base.
	SeriesUnits map[string]string `json:"-"`

	// Updated is when the source updated the data; zero if unknown.
	Updated time.Time `json:"updated,omitzero"`
	// NextUpdate is when the source will update the data, as it says itself: midnight for a day. Zero
	// if it does not say.
	NextUpdate time.Time `json:"next_update,omitzero"`

	// Partial says which pages of a longer answer were imported ("page 1 of 2"); empty if the
	// dataset is complete or a selection.
	Partial string `json:"partial,omitempty"`

	// Dimensions holds all axes except geography and time, in the source's order:
	// dim1 … dim8 in the API.
	Dimensions []Dimension `json:"dimensions"`
	Geography  Dimension   `json:"geography"`
	// GeographyAt is the position of the geography among the source's dimensions:
	// the number of Dimensions before it.
	GeographyAt int              `json:"geography_at,omitempty"`
	Fixed       []FixedDimension `json:"fixed,omitempty"`

	// Curated holds the texts that a curator set in place of the source's, by the
	// names of [Dataset.Text]. Later imports keep them.
	Curated map[string]string `json:"curated,omitempty"`

	// PeriodLabels holds the source's text of periods written as a span of years:
	// {1955: "1950-1955"}.
	PeriodLabels map[Period]string `json:"period_labels,omitempty"`
	// Undated lists texts of the source that stand for a period but are not one
	// ("2020W99", "LTAA"); their observations are not stored.
	Undated []string `json:"undated,omitempty"`
}

// Axes returns pointers to the dimensions of d in the order of [Observation.Key]:
// Dimensions, then Geography.
func (d *Dataset) Axes() []*Dimension {
	axes := make([]*Dimension, 0, len(d.Dimensions)+1)
	for i := range d.Dimensions {
		axes = append(axes, &d.Dimensions[i])
	}
	return append(axes, &d.Geography)
}

// NoArea is the only code of the geography of a dataset without any geography, as SDMX
// writes "not applicable". It is not an area.
const NoArea = "_Z"

// HasNoArea reports whether the dataset has no geography: its only area is [NoArea].
func (d *Dataset) HasNoArea() bool {
	return len(d.Geography.Codes) == 1 && d.Geography.Codes[0].ID == NoArea
}

// Areas returns the areas of the geography, in order and without duplicates.
func (d *Dataset) Areas() []string {
	if d.HasNoArea() {
		return nil
	}
	var areas []string
	seen := map[string]bool{}
	for _, code := range d.Geography.Codes {
		if !seen[code.Area] {
			seen[code.Area] = true
			areas = append(areas, code.Area)
		}
	}
	return areas
}

// UnitOf returns the unit of the series with a key: the one stated for the series
// itself, else the code of the unit dimension, else the unit of the first code in
// the key that has one, else that of the dataset. It is empty if none is stated.
func (d *Dataset) UnitOf(key []int32, stated string) string {
	if stated != "" {
		return d.translatedUnit(key, stated)
	}
	for i := range d.Dimensions {
		if d.Dimensions[i].Role == RoleUnit {
			return d.Dimensions[i].Codes[key[i]].Label
		}
	}
	for _, f := range d.Fixed {
		if f.Role == RoleUnit {
			return f.Code.Label
		}
	}
	for i := range d.Dimensions {
		if unit := d.Dimensions[i].Codes[key[i]].Unit; unit != "" {
			return unit
		}
	}
	return d.Unit
}

// UnitCodeOf returns the code of the unit that [Dataset.UnitOf] returns, if that is one of
// the unit dimension. It is empty for other units.
func (d *Dataset) UnitCodeOf(key []int32, stated string) string {
	if stated != "" {
		return ""
	}
	for i := range d.Dimensions {
		if d.Dimensions[i].Role == RoleUnit {
			return d.Dimensions[i].Codes[key[i]].ID
		}
	}
	for _, f := range d.Fixed {
		if f.Role == RoleUnit {
			return f.Code.ID
		}
	}
	return ""
}

// Text returns a pointer to the metadata text with a name, which a curator may
// set. It returns nil for an unknown name.
func (d *Dataset) Text(name string) *string {
	switch name {
	case "name":
		return &d.Name
	case "description":
		return &d.Description
	case "source_url":
		return &d.SourceURL
	case "metadata_url":
		return &d.MetadataURL
	case "licence":
		return &d.Licence
	case "attribution":
		return &d.Attribution
	}
	return nil
}

// Curate replaces a text of the source, in this vintage and later ones. The empty
// text restores the source's from the next import on; until then the name stays,
// because a dataset must have one.
func (d *Dataset) Curate(name, text string) {
	if text == "" {
		delete(d.Curated, name)
		if name == "name" {
			return
		}
	}
	*d.Text(name) = text
	if text == "" {
		return
	}
	if d.Curated == nil {
		d.Curated = map[string]string{}
	}
	d.Curated[name] = text
}

// Position is a place in a source file. Line and Column count from 1; a column is a
// byte of the line in text, and a cell in a workbook. Zero means unknown.
type Position struct {
	Line, Column int
}

// Compare returns -1, 0 or 1: whether p is before q, the same, or after it.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Observation is one number of a file, with its key and period.
type Observation struct {
	// Key holds a code position for each of [Dataset.Axes]. The reader owns it and
	// may reuse it for the next observation.
	Key    []int32
	Period Period
	Value  float64 // NaN if there are only flags or a note
	Flags  Flags
	Note   string
	Unit   string // if stated for this observation or its series
	// Frequency is the frequency that the source states for the series, zero if it
	// states none. It matters if the periods are dates that represent longer
	// periods (2024-03-31 for 03/2024).
	Frequency Frequency
	At        Position
}

// Table is a dataset as read from a file.
//
// Dataset is complete only when Observations has been read to its end: new codes
// are appended to its dimensions and keep their positions. Observations may be
// ranged over once. After an error it ends, and the observations before it must be
// discarded. A cell without a value, flags or note is not yielded but counted in
// Report as missing.
type Table struct {
	Dataset      *Dataset
	Observations iter.Seq2[Observation, error]
	Report       *Report

	// Prepared is when the office created the file; zero if unknown. Later parts of
	// a dataset override earlier ones. Partial is the file's statement that it is a
	// part of its dataset ("page 1 of 2"), empty if it is complete; Share is which
	// part, if stated. All are set when Observations has been read.
	Prepared time.Time
	Partial  string
	Share    Share
}

// A Share is the part of a dataset that a file holds: the items First to Last
// (pages or series, counted from 1) of Of.
type Share struct{ First, Last, Of int }

// Vintage describes one version of a dataset, which never changes.
type Vintage struct {
	Version      string    `json:"version"`      // "1.0", "1.1" … "1.9", "2.0"
	Imported     time.Time `json:"imported"`     // when it was published here, UTC; never before the previous one
	Series       int       `json:"series"`       // keys including the geography
	Observations int       `json:"observations"` // those with a value
	Added        int       `json:"added"`        // compared with the previous vintage
	Revised      int       `json:"revised"`
	Removed      int       `json:"removed"`
	// Changed says what differs from the previous vintage besides the observations. It is empty if
	// nothing does, and of vintages that were published before this was recorded.
	Changed Changed `json:"changed,omitempty"`
	Digest  string  `json:"digest"` // of structure, metadata and observations; hex
}

// Query selects data of one vintage by its code positions. The zero Query selects
// every value.
type Query struct {
	// Select holds for each of [Dataset.Axes] (geography last) the selected code
	// positions, ascending and distinct. A nil list selects all codes, an empty one
	// none. A nil Select selects everything.
	Select [][]int32
	// From and To select the periods that overlap the span from the start of From to
	// the end of To. The zero Period leaves that side open.
	From, To Period
	// Within, if not zero, selects the periods equal to it or inside it; From and To
	// are then ignored.
	Within Period
	// Latest selects only the most recent period that has a value in the rest of the
	// query; which one, the mode says. The empty mode selects all periods.
	Latest LatestMode
	// FirstN and LastN, if not zero, select of each series in the rest of the query only as
	// many of its first and last values: see [Block.KeepEnds].
	FirstN, LastN int
	// Flags includes flags and notes, also observations that have nothing else.
	Flags bool
}

// SelectsPeriod reports whether a period is in the time that the query selects.
func (q *Query) SelectsPeriod(p Period) bool {
	if !q.Within.IsZero() {
		return p.Within(q.Within)
	}
	return p.OverlapsSpan(q.From, q.To)
}

// Selection selects a part of a dataset independently of its vintage: codes by the
// ID of their axis. Other axes are selected completely.
type Selection map[string][]string

// Extract is the result of a [Query].
type Extract struct {
	Dataset *Dataset
	// Periods holds all periods of the vintage in order; blocks refer to them.
	Periods []Period
	// Blocks may be ranged over once. It yields the blocks in the order of the code
	// lists. The iterator owns the block and its slices and reuses them for the next one.
	Blocks iter.Seq2[*Block, error]
}

// Block holds the observations of one key of [Dataset.Dimensions] and unit for all
// areas: the series that differ only in the area. The API calls a block a series. Row by
// row: the cells of row i are RowStart[i] … RowStart[i+1]-1.
type Block struct {
	Key      []int32 // code positions of [Dataset.Dimensions]
	Unit     string  // unit stated by the source; empty if none
	Areas    []int32 // code positions of Geography that occur, ascending
	Periods  []int32 // positions in Extract.Periods, one per row, ascending
	RowStart []int32 // len(Periods)+1
	// One entry per cell:
	Area  []int32   // position in Areas, ascending within a row
	Value []float64 // NaN if there are only flags or a note
	// Decimals are those of all values.
	Decimals Decimals
	// Flags and Note are as long as Value if the query includes flags, else nil.
	Flags []Flags
	Note  []string
}

// LatestMode says which period is the most recent.
type LatestMode string

// The modes. Observed values are those that are no forecasts.
const (
	// LatestLast is the last period with a value, forecasts included.
	LatestLast LatestMode = "last"
	// LatestObserved is the last period in which a tenth of the series have an observed
	// value.
	LatestObserved LatestMode = "observed"
	// LatestArea is the last period with an observed value of each series on its own.
	LatestArea LatestMode = "area"
	// LatestCovered is the last period in which about as many series have an observed
	// value as in the best covered of the recent periods: for comparing areas.
	LatestCovered LatestMode = "covered"
)

// Latest is the answer of /latest for one key of [Dataset.Dimensions]: the most recent
// period in the sense of a mode, and the values of the areas in it.
type Latest struct {
	Key    []int32  // code positions of [Dataset.Dimensions]
	Rules  []string // what decided for each code of Key, by the names of package defaults
	Period Period   // of [LatestArea]: the last of the areas' periods
	Areas  []int32  // code positions of Geography with a value, ascending
	Values []float64
	// Units are those stated for the series of the areas, as [Dataset.UnitOf] takes them; nil if none is stated.
	Units []string
	// Flags are those of the values; nil if none has any.
	Flags []Flags
	// Periods are those of the values in the mode [LatestArea]; nil in the others.
	Periods []Period
}
