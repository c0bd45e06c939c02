package eurostat

import (
	"slices"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

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
		meaning, ok := office.Status("eurostat", "obs_flag", letter)
		if !ok {
			unknown = letter
		}
		codes = append(codes, meaning.List()...)
	}
	flags := stat.NewFlags(codes...)
	if slices.Contains(codes, stat.ConfPrefix+"C") {
		codes = append(codes, suppressed)
	}
	return &mark{flags: flags, alone: stat.NewFlags(codes...), missing: flags.Missing(), unknown: unknown}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
