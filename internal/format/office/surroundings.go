package office

import (
	"regexp"
	"slices"
	"strings"
)

// Around is what the lines around a table with several heading rows say in the words of one
// office or of the program that it uses.
type Around struct {
	Code, Unit string
	Multiplier string   // of the unit
	Stub       []string // names of the columns on the left that have no heading
	IsOfFirst  bool     // Stub names the first of them only
	Lines      []string // those above the table, without that of the code
}

// HasAreasBeside reports whether a table with this first line is of GENESIS, the database of the
// German federal and regional offices. Years in its first column have the areas on their right,
// in columns without a heading.
func HasAreasBeside(line string) bool { return genesis.MatchString(line) }

var (
	genesis = regexp.MustCompile(`^(GENESIS-)?Tabelle: [0-9]`)
	// genesisTimes are the names of the dimension of time in GENESIS.
	genesisTimes = []string{"Deutschland", "Stichtag", "Jahre", "Jahr", "Quartale", "Monate", "Semester", "Halbjahre", "Schuljahr"}
	// genesisDepth matches what the titles of regional tables say of their areas.
	genesisDepth = regexp.MustCompile(`regionale\s+Tiefe:\s*([^\n]+)`)

	// codeLine matches a line that states the code of a table: of the Swiss National Bank, and
	// of GENESIS.
	codeLine = regexp.MustCompile(`^(?:CubeId|(?:GENESIS-)?Tabelle:) (.+)$`)
	// measureLine matches a line that names the only measure of a table with its unit: the last
	// one of GENESIS. It has a name of its own in SIDRA of the IBGE.
	measureLine = regexp.MustCompile(`^(Variável - )?.+ \(([^()]+)\)$`)
)

// ReadAround reads the lines above and below a table. GENESIS lists its dimensions in the second
// line, "Bevölkerung: Bundesländer, Stichtag", or the areas of a regional table in another.
// Infoshare of Stats NZ states the unit below the table: "Index, Magnitude = Units" after "Units:".
func ReadAround(above, below []string) (a Around) {
	isGENESIS := len(above) > 0 && HasAreasBeside(above[0])
	for i, line := range above {
		if m := codeLine.FindStringSubmatch(line); m != nil && a.Code == "" {
			a.Code = m[1]
			continue
		}
		if m := measureLine.FindStringSubmatch(line); m != nil && a.Unit == "" && (m[1] != "" || isGENESIS && i == len(above)-1) {
			a.Unit = m[2]
		}
		a.Lines = append(a.Lines, line)
	}
	if isGENESIS && len(above) > 1 {
		_, list, _ := strings.Cut(above[1], ": ")
		a.Stub = slices.DeleteFunc(strings.Split(list, ", "), func(name string) bool { return slices.Contains(genesisTimes, name) })
		if m := genesisDepth.FindStringSubmatch(strings.Join(above, "\n")); m != nil {
			a.Stub, a.IsOfFirst = m[1:], true
		}
	}
	if at := slices.Index(below, "Units:"); at >= 0 && at+1 < len(below) {
		if unit, multiplier, ok := strings.Cut(below[at+1], ", Magnitude = "); ok {
			a.Unit, a.Multiplier = unit, multiplier
		}
	}
	return a
}

// PeriodComments returns the notes on single periods below a table of the Bundesbank, by the
// period as it is written.
func PeriodComments(below []string) map[string]string {
	comments := map[string]string{}
	for _, line := range below {
		if m := periodComment.FindStringSubmatch(line); m != nil {
			comments[m[1]] = m[2]
		}
	}
	return comments
}

var periodComment = regexp.MustCompile(`^(?:Comment on|Kommentar zu) ([0-9-]+): (.+)$`)

// IsPeriodComment reports whether a cell only says that there is such a note.
func IsPeriodComment(cell string) bool {
	return strings.EqualFold(cell, "comment") || strings.EqualFold(cell, "kommentar")
}
