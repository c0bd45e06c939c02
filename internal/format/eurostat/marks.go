package eurostat

import (
	"slices"

	"almanac/internal/stat"
)

// meanings says what Eurostat's letters are in CL_OBS_STATUS 2.2; where there
// is no equal there, the letter is kept as the office's own mark. The letters
// are those of the office's dictionary "flags" and of its code list OBS_FLAG.
var meanings = map[string][]string{
	"b":  {"B"},                   // break in time series
	"c":  {stat.ConfPrefix + "C"}, // confidential
	"d":  {"D"},                   // definition differs
	"e":  {"E"},                   // estimated
	"f":  {"F"},                   // forecast
	"i":  {ownMark + "i"},         // see metadata
	"n":  {"N"},                   // not significant
	"p":  {"P"},                   // provisional
	"r":  {ownMark + "r"},         // revised
	"s":  {"E", ownMark + "s"},    // Eurostat estimate
	"u":  {"U"},                   // low reliability
	"z":  {"M"},                   // not applicable
	"@C": {stat.ConfPrefix + "C"}, // confidential, as a list of its own
}

// ownMark stands before marks that only Eurostat has.
const ownMark = "ESTAT:"

// suppressed is the status of a missing value that is confidential.
const suppressed = "Q"

// mark is what the letters beside a value, or in place of one, say.
type mark struct {
	flags   stat.Flags // beside a number
	alone   stat.Flags // without a number
	missing bool       // a number beside it is none
	unknown string     // a mark among them that Eurostat's list does not have
}

// marks reads letters, each combination once.
type marks map[string]*mark

// maxMarks bounds the memory that a file with nonsense for flags can take.
const maxMarks = 4096

// read returns what text says, nil if it is not made of letters, each perhaps
// with an @ before it, and spaces. "bdu" is three flags.
func (m marks) read(text []byte) *mark {
	if known := m[string(text)]; known != nil {
		return known
	}
	read := newMark(text)
	if read != nil && len(m) < maxMarks {
		m[string(text)] = read
	}
	return read
}

func newMark(text []byte) *mark {
	var codes []string
	var unknown string
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' {
			continue
		}
		first := i
		if text[i] == '@' {
			i++
		}
		if i == len(text) || !isLetter(text[i]) {
			return nil
		}
		letter := string(text[first : i+1])
		meaning, ok := meanings[letter]
		if !ok {
			unknown = letter
			meaning = []string{ownMark + letter}
		}
		codes = append(codes, meaning...)
	}
	flags := stat.NewFlags(codes...)
	if slices.Contains(codes, stat.ConfPrefix+"C") {
		codes = append(codes, suppressed)
	}
	return &mark{flags: flags, alone: stat.NewFlags(codes...), missing: flags.Missing(), unknown: unknown}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
