package pxweb

import (
	"fmt"
	"math"
	"slices"
)

// cellsOf returns the number of cells of some variables, at most math.MaxInt.
func cellsOf(variables []variable) int {
	sizes := make([]int, len(variables))
	for i, v := range variables {
		sizes[i] = len(v.values)
	}
	return multiply(sizes)
}

// split splits a table into parts of at most maxCells cells (0: no limit), and into
// at most maxParts parts. It splits along the variable that gives the fewest parts, among
// equals the one with the most values. If no single variable is enough, it splits along
// the one with the most values and then along another. It splits the variable of measures
// last, because the parts of a dataset must agree on the unit. The parts are in the order
// of the table's values, so that merging them restores it. The same table is always split
// in the same way.
func split(variables []variable, maxCells, maxParts int) ([][]variable, error) {
	if maxCells <= 0 {
		maxCells = math.MaxInt
	}
	pieces := make([]int, len(variables)) // number of pieces of each variable
	sizes := make([]int, len(variables))  // number of its values in a part
	count := 1
	for i, v := range variables {
		pieces[i], sizes[i] = 1, max(1, len(v.values))
	}
	for multiply(sizes) > maxCells {
		i := nextVariable(variables, sizes, maxCells)
		n := len(variables[i].values)
		sizes[i] = max(1, maxCells/cellsPerValue(sizes, i))
		pieces[i] = (n + sizes[i] - 1) / sizes[i]
		sizes[i] = (n + pieces[i] - 1) / pieces[i] // pieces of about the same size
		if count > maxParts/pieces[i] {
			return nil, fmt.Errorf("the table has %d cells, and at %d cells per response it would need more than the limit of %d parts", cellsOf(variables), maxCells, maxParts)
		}
		count *= pieces[i]
	}
	return combine(variables, sizes), nil
}

// nextVariable returns the variable to split next. At least one has several values in
// a part, because the part would be small enough otherwise.
func nextVariable(variables []variable, sizes []int, maxCells int) int {
	best, bestPieces, isEnough := -1, 0, false
	for _, isMeasure := range []bool{false, true} {
		for i, v := range variables {
			if v.isMeasure != isMeasure || sizes[i] == 1 {
				continue
			}
			others := cellsPerValue(sizes, i)
			if others > maxCells { // this variable alone is not enough
				if !isEnough && (best < 0 || sizes[i] > sizes[best]) {
					best = i
				}
				continue
			}
			pieces := (sizes[i] + maxCells/others - 1) / (maxCells / others)
			if !isEnough || pieces < bestPieces || pieces == bestPieces && sizes[i] > sizes[best] {
				best, bestPieces, isEnough = i, pieces, true
			}
		}
		if best >= 0 {
			break
		}
	}
	return best
}

// multiply returns the product of sizes, at most math.MaxInt.
func multiply(sizes []int) int {
	product := 1
	for _, n := range sizes {
		n = max(1, n)
		if product > math.MaxInt/n {
			return math.MaxInt
		}
		product *= n
	}
	return product
}

// cellsPerValue returns the number of cells for one value of a variable.
func cellsPerValue(sizes []int, variable int) int {
	others := slices.Clone(sizes)
	others[variable] = 1
	return multiply(others)
}

// combine returns the parts, which are all combinations of pieces of the variables.
func combine(variables []variable, sizes []int) [][]variable {
	parts := [][]variable{nil}
	for i, v := range variables {
		var longer [][]variable
		for _, part := range parts {
			for values := range slices.Chunk(v.values, sizes[i]) {
				piece := v
				piece.values = values
				longer = append(longer, append(slices.Clip(part), piece))
			}
		}
		parts = longer
	}
	return parts
}
