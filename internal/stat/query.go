package stat

import "iter"

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
	// query.
	Latest bool
	// Flags includes flags and notes, also observations that have nothing else.
	Flags bool
}

// Selection selects a part of a dataset independently of its vintage: codes by the
// ID of their axis. Other axes are selected completely.
type Selection map[string][]string

// Extract is the result of a [Query].
type Extract struct {
	Dataset *Dataset
	// Periods holds all periods of the vintage in order; blocks refer to them.
	Periods []Period
	// Blocks may be ranged over once. It yields one block per series key (and unit),
	// in the order of the code lists. The iterator owns the block and its slices and
	// reuses them for the next one.
	Blocks iter.Seq2[*Block, error]
}

// Block holds the observations of one series key for all areas, row by row: the
// cells of row i are RowStart[i] … RowStart[i+1]-1.
type Block struct {
	Key      []int32 // code positions of [Dataset.Dimensions]
	Unit     string  // unit stated by the source; empty if none
	Areas    []int32 // code positions of Geography that occur, ascending
	Periods  []int32 // positions in Extract.Periods, one per row, ascending
	RowStart []int32 // len(Periods)+1
	// One entry per cell:
	Area  []int32   // position in Areas, ascending within a row
	Value []float64 // NaN if there are only flags or a note
	// Flags and Note are as long as Value if the query includes flags, else nil.
	Flags []Flags
	Note  []string
}

// Latest is the answer of /latest for one series: the most recent period in which
// any area has a value, and these values.
type Latest struct {
	Key    []int32 // code positions of [Dataset.Dimensions]
	Period Period
	Areas  []int32 // code positions of Geography with a value in the period, ascending
	Values []float64
}
