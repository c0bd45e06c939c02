package source

import (
	"fmt"
	"math"
	"slices"
)

// pxwebCells is the number of cells of a product of values; math.MaxInt where
// it cannot be counted.
func pxwebCells(variables []pxwebVariable) int {
	sizes := make([]int, len(variables))
	for i, v := range variables {
		sizes[i] = len(v.values)
	}
	return pxwebTimes(sizes)
}

// pxwebSplit cuts a table into parts of at most most cells (0: any number), and
// into no more than some number of parts: along the variable that gives the
// fewest, of several the one with most values; where none alone is enough, along
// the one with most values, and then along another. The variable of measures stays whole as long as it can, because
// the parts of a dataset must agree on the unit. The parts come in the order of
// the table's values, so that joined they have that order again. The same table
// is cut in the same way each time.
func pxwebSplit(variables []pxwebVariable, most, parts int) ([][]pxwebVariable, error) {
	if most <= 0 {
		most = math.MaxInt
	}
	pieces := make([]int, len(variables)) // into how many each variable is cut
	sizes := make([]int, len(variables))  // how many values it has in a part
	count := 1
	for i, v := range variables {
		pieces[i], sizes[i] = 1, max(1, len(v.values))
	}
	for pxwebTimes(sizes) > most {
		i := pxwebNextCut(variables, sizes, most)
		n := len(variables[i].values)
		sizes[i] = max(1, most/pxwebOthers(sizes, i))
		pieces[i] = (n + sizes[i] - 1) / sizes[i]
		sizes[i] = (n + pieces[i] - 1) / pieces[i] // parts of about the same size
		if count > parts/pieces[i] {
			return nil, fmt.Errorf("the table has %d cells and the server gives %d at once, so that it would come in more than %d parts: too many to be fetched", pxwebCells(variables), most, parts)
		}
		count *= pieces[i]
	}
	return pxwebProduct(variables, sizes), nil
}

// pxwebNextCut chooses the variable to be cut next. There is one that has
// several values, or the product would fit.
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

// pxwebTimes is the product of sizes; math.MaxInt where it cannot be counted.
func pxwebTimes(sizes []int) int {
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

// pxwebOthers is the number of cells for one value of a variable.
func pxwebOthers(sizes []int, variable int) int {
	others := slices.Clone(sizes)
	others[variable] = 1
	return pxwebTimes(others)
}

// pxwebProduct makes the parts: all combinations of pieces of the variables.
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
