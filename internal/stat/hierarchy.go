package stat

import "slices"

// LinkParents sets the parents of codes to the nearest ones above them that are kept. A list of
// codes may have gaps where a code does not occur in the data; what is below it is then below
// the code above it. parentsOf returns the parents that the office states for a code.
func LinkParents(codes []Code, parentsOf func(id string) []string, isKept func(id string) bool) {
	for i := range codes {
		var found []string
		seen := map[string]bool{codes[i].ID: true}
		var climb func(id string)
		climb = func(id string) {
			for _, parent := range parentsOf(id) {
				if seen[parent] {
					continue
				}
				seen[parent] = true
				if isKept(parent) {
					found = append(found, parent)
				} else {
					climb(parent)
				}
			}
		}
		climb(codes[i].ID)
		codes[i].Parents = found
	}
}

// HasHierarchy reports whether any code of the dimension has a parent.
func (d *Dimension) HasHierarchy() bool {
	return slices.ContainsFunc(d.Codes, func(c Code) bool { return len(c.Parents) > 0 })
}

// Below returns the positions of the codes that are below a code on any level, ascending. It
// does not contain the code itself.
func (d *Dimension) Below(id string) []int32 {
	children := map[string][]int32{}
	for i, c := range d.Codes {
		for _, parent := range c.Parents {
			children[parent] = append(children[parent], int32(i))
		}
	}
	isBelow := make([]bool, len(d.Codes))
	for rest := []string{id}; len(rest) > 0; {
		last := len(rest) - 1
		next := children[rest[last]]
		rest = rest[:last]
		for _, at := range next {
			if !isBelow[at] && d.Codes[at].ID != id {
				isBelow[at] = true
				rest = append(rest, d.Codes[at].ID)
			}
		}
	}
	below := []int32{}
	for i, is := range isBelow {
		if is {
			below = append(below, int32(i))
		}
	}
	return below
}
