package source

import (
	"fmt"
	"math"
	"slices"
)

// pxwebCells returns the number of cells of a product of values, at most math.MaxInt.
func pxwebCells(variables []pxwebVariable) int {
	sizes := make([]int, len(variables))
	for i, v := range variables {
		sizes[i] = len(v.values)
	}
	return pxwebMultiply(sizes)
}

// pxwebSplit splits a table into parts of at most most cells (0: no limit), and into at
// most the given number of parts. It splits along the variable that gives the fewest
// parts, among equals the one with most values. If no variable is enough, it splits
// along the one with most values and then along another. It splits the variable of
// measures last, because the parts of a dataset must agree on the unit. The parts are in
// the order of the table's values, so that merging them restores it. The same table is
// always split in the same way.
func pxwebSplit(variables []pxwebVariable, most, parts int) ([][]pxwebVariable, error) {
	if most <= 0 {
		most = math.MaxInt
	}
	pieces := make([]int, len(variables)) // number of pieces of each variable
	sizes := make([]int, len(variables))  // number of its values in a part
	count := 1
	for i, v := range variables {
		pieces[i], sizes[i] = 1, max(1, len(v.values))
	}
	for pxwebMultiply(sizes) > most {
		i := pxwebNextCut(variables, sizes, most)
		n := len(variables[i].values)
		sizes[i] = max(1, most/pxwebOthers(sizes, i))
		pieces[i] = (n + sizes[i] - 1) / sizes[i]
		sizes[i] = (n + pieces[i] - 1) / pieces[i] // pieces of about the same size
		if count > parts/pieces[i] {
			return nil, fmt.Errorf("the table has %d cells, and at %d cells per response it would need more than the limit of %d parts", pxwebCells(variables), most, parts)
		}
		count *= pieces[i]
	}
	return pxwebProduct(variables, sizes), nil
}

// pxwebNextCut returns the variable to split next. One of them has several values,
// otherwise the product would fit.
func pxwebNextCut(variables []pxwebVariable, sizes []int, most int) int {
	best, bestPieces, enough := -1, 0, false
	for _, contents := range []bool{false, true} {
		for i, v := range variables {
			if v.contents != contents || sizes[i] == 1 {
				continue
			}
			others := pxwebOthers(sizes, i)
			if others > most { // not enough alone
				if !enough && (best < 0 || sizes[i] > sizes[best]) {
					best = i
				}
				continue
			}
			pieces := (sizes[i] + most/others - 1) / (most / others)
			if !enough || pieces < bestPieces || pieces == bestPieces && sizes[i] > sizes[best] {
				best, bestPieces, enough = i, pieces, true
			}
		}
		if best >= 0 {
			break
		}
	}
	return best
}

// pxwebMultiply returns the product of sizes, at most math.MaxInt.
func pxwebMultiply(sizes []int) int {
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

// pxwebOthers returns the number of cells for one value of a variable.
func pxwebOthers(sizes []int, variable int) int {
	others := slices.Clone(sizes)
	others[variable] = 1
	return pxwebMultiply(others)
}

// pxwebProduct returns the parts: all combinations of pieces of the variables.
func pxwebProduct(variables []pxwebVariable, sizes []int) [][]pxwebVariable {
	parts := [][]pxwebVariable{nil}
	for i, v := range variables {
		var longer [][]pxwebVariable
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
