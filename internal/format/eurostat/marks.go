package eurostat

import (
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// mark is the meaning of the letters beside a value, or in place of one.
type mark struct {
	flags   stat.Flags // beside a number
	alone   stat.Flags // without a number
	missing bool       // a number beside it is none
	unknown string     // a letter that Eurostat's list does not have
}

// newMark returns the mark of letters, each perhaps after an @, and spaces; nil for
// any other text. "bdu" is three flags.
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
	return &mark{flags: flags, alone: office.WithoutNumber(flags), missing: flags.Missing(), unknown: unknown}
}
