// Package stat is the glossary of Almanac: the words of statistics as types,
// and their rules. It does no I/O and imports nothing of ours.
//
// The words are those of SDMX. An office publishes a [Dataset]; a dataset has
// [Dimension]s, one of which is its geography; each position of a dimension
// is a [Code] with a label. Time is not a dimension here but the [Period] of
// each [Observation]. A file is read as a [Table]: structure first, then a
// stream of observations. What one import stored is a [Vintage], never
// changed after. A reader asks with a [Query] and gets an [Extract].
package stat

import (
	"iter"
	"slices"
	"time"
)

// Role says what a dimension stands for.
type Role string

// The roles of a dimension. Time is no dimension and so has no role here.
const (
	RoleOther     Role = "other"
	RoleGeo       Role = "geo"
	RoleUnit      Role = "unit"
	RoleFrequency Role = "frequency"
)

// MaxDimensions is how many dimensions, beside geography and time, the
// interface has names for (dim1 … dim8).
const MaxDimensions = 8

// Source is the office that published a dataset.
type Source struct {
	ID   string `json:"id"`   // lower case, stable: "eurostat"
	Name string `json:"name"` // as people call it: "Eurostat"
	URL  string `json:"url,omitempty"`
}

// Code is one position of a dimension: an ID for machines, a label for people.
type Code struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"` // empty until one is known; never empty, and unique, in the store
	Unit  string `json:"unit,omitempty"`  // the unit the source states for this code (a measure's unit)
	// SourceLabel is the source's label where Label had to differ from it,
	// because another code of the dataset has or had the same.
	SourceLabel string `json:"source_label,omitempty"`
	// Area is, for a code of the geography, the name of the area in
	// available_geo: ISO 3166-1 alpha-2, else the source's own code.
	Area string `json:"area,omitempty"`
}

// Dimension is one axis of a dataset. Codes stand in the order of the
// source's code list, or of first appearance where there is no list.
type Dimension struct {
	ID    string `json:"id"`              // as the source writes it: "na_item"
	Label string `json:"label,omitempty"` // empty until one is known; never empty in the store
	Role  Role   `json:"role"`
	// Total is the ID of the code that the office itself names as the total
	// (PX ELIMINATION, eliminationValueCode); empty where it names none.
	Total string `json:"total,omitempty"`
	Codes []Code `json:"codes"`
	// Former maps labels that earlier vintages published, and that no code has
	// now, to the ID of the code that had them first.
	Former map[string]string `json:"former,omitempty"`
	// Default is the ID of the code that a curator chose for the default
	// series; empty where none was chosen.
	Default string `json:"default,omitempty"`
}

// Positions are where the codes stand in the dimension.
func (d *Dimension) Positions() map[string]int32 { return positionsOf(d.Codes) }

// Published maps every label that the dimension has or had to the ID of the
// code that had it first.
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

// FixedDimension is a dimension with a single code that had to leave the key
// because the dataset has more dimensions than [MaxDimensions].
type FixedDimension struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Role  Role   `json:"role"`
	Code  Code   `json:"code"`
}

// Dataset is one published table: its metadata and structure.
type Dataset struct {
	ID          int    `json:"id,omitempty"` // given by the store, never reused
	Source      Source `json:"source"`
	Code        string `json:"code"` // the office's code; compares case-insensitively
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	SourceURL   string `json:"source_url,omitempty"`
	MetadataURL string `json:"metadata_url,omitempty"`
	Licence     string `json:"licence,omitempty"`
	Attribution string `json:"attribution,omitempty"`
	Unit        string `json:"unit,omitempty"` // where one unit holds for the whole dataset

	// Updated is the source's own time of update; zero where it gives none.
	Updated time.Time `json:"updated,omitzero"`

	// Dimensions are all axes but geography and time, in the source's order:
	// dim1 … dim8 of the interface.
	Dimensions []Dimension `json:"dimensions"`
	Geography  Dimension   `json:"geography"`
	// GeographyAt is where geography stood among the source's dimensions: the
	// number of Dimensions before it.
	GeographyAt int              `json:"geography_at,omitempty"`
	Fixed       []FixedDimension `json:"fixed,omitempty"`

	// Curated holds the texts that a curator set in place of the source's, by
	// the names that [Dataset.Text] knows. They outlive later imports.
	Curated map[string]string `json:"curated,omitempty"`

	// PeriodLabels holds the source's own text of periods that it wrote as a
	// span of years: {1955: "1950-1955"}.
	PeriodLabels map[Period]string `json:"period_labels,omitempty"`
	// Undated lists the source's marks that look like periods and are none
	// ("2020W99", "LTAA"); their observations are not stored.
	Undated []string `json:"undated,omitempty"`
}

// Axes returns the dimensions in the order of [Observation.Key]: Dimensions,
// then Geography. The pointers are into d.
func (d *Dataset) Axes() []*Dimension {
	axes := make([]*Dimension, 0, len(d.Dimensions)+1)
	for i := range d.Dimensions {
		axes = append(axes, &d.Dimensions[i])
	}
	return append(axes, &d.Geography)
}

// SourceOrder returns the positions of [Dataset.Axes] in the source's order, in
// which the geography stands at GeographyAt.
func (d *Dataset) SourceOrder() []int {
	order := make([]int, len(d.Dimensions))
	for i := range order {
		order[i] = i
	}
	return slices.Insert(order, min(d.GeographyAt, len(order)), len(order))
}

// UnitOf returns the unit of the series with a key: the one the source states
// for the series itself, else the code of the unit dimension, else the unit of
// the first code in the key that has one, else that of the dataset; empty if
// none is stated.
func (d *Dataset) UnitOf(key []int32, stated string) string {
	if stated != "" {
		return stated
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

// Text returns the text of the dataset's metadata that a curator may set,
// nil if there is none of that name.
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

// Curate sets a text in place of the source's, for this vintage and later
// ones. The empty text gives it back to the source, from the next import on;
// until then the name stays as it is, because a dataset has one.
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

// Position says where in a source file something stood: line and column count
// from 1, a column being a cell of a table or a character of a text. Zero is
// unknown.
type Position struct {
	Line, Column int
}

// Observation is one number at one place and period, as a file yields it.
type Observation struct {
	// Key holds a code position for each of [Dataset.Axes]. The reader that
	// yields the observation owns it and may reuse it for the next one.
	Key    []int32
	Period Period
	Value  float64 // NaN: there is no number, only flags or a note
	Flags  Flags
	Note   string
	Unit   string // where the source states it for this observation or its series
	// Frequency is how often the source says that the series comes, zero where
	// it does not say. It decides where the periods are dates that stand for
	// longer periods (2024-03-31 for 03/2024); see [Frequency].
	Frequency Frequency
	At        Position
}

// Table is a dataset as a file gives it.
//
// Dataset is complete only when Observations has been read to its end: codes
// are appended to its dimensions as they are met, and keep their positions.
// Observations may be ranged over once. An error ends it; what was yielded
// before is then to be thrown away. A cell without a value and without flags
// or note is counted in Report as missing and not yielded.
type Table struct {
	Dataset      *Dataset
	Observations iter.Seq2[Observation, error]
	Report       *Report

	// Prepared is when the office made the file; zero where it does not say.
	// Parts of one dataset apply in this order. Partial says in the file's words
	// that it is a part of its dataset ("page 1 of 2"), and Share, if it tells,
	// which; empty where it is whole or does not say. All are known when
	// Observations has been read.
	Prepared time.Time
	Partial  string
	Share    Share
}

// A Share says which part of a dataset a file holds, where it tells: the items
// First to Last (pages, series; from 1) of Of.
type Share struct{ First, Last, Of int }

// Vintage is one import of a dataset, never changed after.
type Vintage struct {
	Version      string    `json:"version"`      // "1.0", "1.1" … "1.9", "2.0"
	Imported     time.Time `json:"imported"`     // publication here, UTC; never goes back
	Series       int       `json:"series"`       // keys, geography included
	Observations int       `json:"observations"` // those with a value
	Added        int       `json:"added"`        // against the vintage before
	Revised      int       `json:"revised"`
	Removed      int       `json:"removed"`
	Digest       string    `json:"digest"` // of structure, metadata and observations; hex
}
