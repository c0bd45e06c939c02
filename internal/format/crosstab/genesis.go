package crosstab

import (
	"regexp"
	"slices"
	"strings"
)

// genesisTable begins the first line of the tables of GENESIS, the database of the German
// federal and regional offices:
//
//	GENESIS-Tabelle: 12411-0010
//	Bevölkerung: Bundesländer, Stichtag
//	Fortschreibung des Bevölkerungsstandes
//	Bevölkerungsstand (Anzahl)
//
// The title lists the dimensions, of which the stub has the first ones. The last line, if
// there is one value for all, states it with its unit.
const genesisTable = "GENESIS-Tabelle: "

var genesisValue = regexp.MustCompile(`^(.+) \(([^()]+)\)$`)

// genesisTimes are the names of the dimension of time.
var genesisTimes = []string{"Stichtag", "Jahre", "Jahr", "Quartale", "Monate", "Semester", "Halbjahre", "Schuljahr"}

// readGenesis names the columns of the stub and returns the unit of a table of GENESIS.
func (r *reader) readGenesis(titles []string) (unit string) {
	if len(titles) < 2 || !strings.HasPrefix(titles[0], genesisTable) {
		return ""
	}
	if _, list, ok := strings.Cut(titles[1], ": "); ok {
		isKnown := func(name string) bool { return name == "Deutschland" || slices.Contains(genesisTimes, name) }
		names := slices.DeleteFunc(strings.Split(list, ", "), isKnown)
		for i, a := range r.ofStub {
			if c := r.found.stub[max(a.codes, a.labels)]; c.name == "" && len(r.ofStub) <= len(names) {
				r.found.stub[a.codes].name, c.name = names[i], names[i]
			}
		}
	}
	if m := genesisValue.FindStringSubmatch(titles[len(titles)-1]); m != nil {
		unit = m[2]
	}
	return unit
}
