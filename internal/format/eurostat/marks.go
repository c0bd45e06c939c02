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

// newMark returns what text says, nil if it is not made of letters, each perhaps
// with an @ before it, and spaces. "bdu" is three flags.
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
		if i == len(text) || text[i]|0x20 < 'a' || text[i]|0x20 > 'z' {
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
