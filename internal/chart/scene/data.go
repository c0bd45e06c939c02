package scene

// The values behind the marks. SVG has them as attributes, so that a page can show them
// next to a pointer. They are not drawn.

// Plot is a part of the picture that runs along time, from left to right.
type Plot struct {
	Box
	X       []float64 // the position of each period, in order
	Periods Periods
}

// Periods writes a list of periods. It is a pointer: plots with the same periods have the same one.
type Periods interface {
	// Period returns a period as SDMX writes it (2024-Q1) and as this service does
	// (Q1/2024).
	Period(i int) (code, text string)
}

// Slot is the row or column of a category or a period in a bar chart.
type Slot struct {
	Box
	Data []*Datum // of its bars
}

// Values are what a line shows.
type Values struct {
	Plot   int       // the index of the plot in which it is
	Values []float64 // at the periods of the plot, not rounded; NaN: none
	Flags  []string  // of each value, separated by spaces; nil: none has flags

	Low, High []float64 // the bounds of each value that has a band; nil: none
}

// Datum is the observation that a bar or an area of a map shows.
type Datum struct {
	Name  string  // of the bar or area, with the series if there are several
	Area  string  // code; may be empty
	Value float64 // not rounded
	Flags string  // separated by spaces

	PeriodCode, Period string // as Periods returns them; may be empty
}
