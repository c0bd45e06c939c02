package stat

import "iter"

// Query is what a reader wants of one vintage, in code positions of that
// vintage. The zero Query wants every value.
type Query struct {
	// Select holds for each of [Dataset.Axes] (geography last) the wanted code
	// positions, ascending and each once. A nil list wants all codes, an empty
	// one none. A nil Select wants everything.
	Select [][]int32
	// From and To bound the periods: kept is what overlaps the span from From's
	// start to To's end. The zero Period leaves that side open.
	From, To Period
	// Within, if not zero, keeps the periods equal to it or inside it; From and
	// To are then ignored.
	Within Period
	// Latest keeps only the most recent period for which the rest of the query
	// leaves a value.
	Latest bool
	// Flags includes flags and notes, and observations that have only those.
	Flags bool
}

// Selection is a part of a dataset that outlives its vintages: for each chosen
// axis of [Dataset.Axes], by its ID, the wanted codes. Axes that are not named
// are wanted whole.
type Selection map[string][]string

// Extract is the answer to a [Query].
type Extract struct {
	Dataset *Dataset
	// Periods are all periods of the vintage in order; blocks point into it.
	Periods []Period
	// Blocks may be ranged over once. It yields one block a series key (and
	// unit), in the order of the code lists. The block and its slices belong to
	// the iterator and are reused by the next step.
	Blocks iter.Seq2[*Block, error]
}

// Block holds the observations of one series key for all areas, row by row:
// the cells of row i are those from RowStart[i] to RowStart[i+1].
type Block struct {
	Key      []int32 // code positions of [Dataset.Dimensions]
	Unit     string  // the unit the source states for the block; empty if none
	Areas    []int32 // code positions of Geography that occur, ascending
	Periods  []int32 // positions in Extract.Periods, one a row, ascending
	RowStart []int32 // len(Periods)+1
	// One entry a cell:
	Area  []int32   // position in Areas, ascending within a row
	Value []float64 // NaN where there are only flags or a note
	// Flags and Note are as long as Value if the query asked for flags, else nil.
	Flags []Flags
	Note  []string
}

// Latest is what /latest says of one series: its most recent period for which
// any area has a value, and those values.
type Latest struct {
	Key    []int32 // code positions of [Dataset.Dimensions]
	Period Period
	Areas  []int32 // code positions of Geography with a value then, ascending
	Values []float64
}
