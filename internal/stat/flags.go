package stat

import (
	"slices"
	"strings"
)

// Flags are the remarks on one observation: codes of SDMX CL_OBS_STATUS 2.2 ("B",
// "P"), an office's own flags without an equivalent there ("ESTAT:i"), and
// confidentiality ("CONF_STATUS:C"). They are a string of sorted codes separated
// by spaces, so that they are comparable and cheap to copy; "" means no flags.
type Flags string

// ConfPrefix is the prefix of the codes of CL_CONF_STATUS in [Flags].
const ConfPrefix = "CONF_STATUS:"

// NewFlags returns the sorted, distinct codes as Flags. Empty codes are ignored.
func NewFlags(codes ...string) Flags {
	codes = strings.Fields(strings.Join(codes, " "))
	slices.Sort(codes)
	return Flags(strings.Join(slices.Compact(codes), " "))
}

// List returns the codes, nil if there are none.
func (f Flags) List() []string {
	if f == "" {
		return nil
	}
	return strings.Split(string(f), " ")
}

// Has reports whether code is among the flags.
func (f Flags) Has(code string) bool {
	if code == "" || !strings.Contains(string(f), code) {
		return false
	}
	for c := range strings.SplitSeq(string(f), " ") {
		if c == code {
			return true
		}
	}
	return false
}

// Split returns the SDMX attributes OBS_STATUS (all but confidentiality) and
// CONF_STATUS (without prefix). [JoinFlags] is the inverse.
func (f Flags) Split() (obsStatus, confStatus string) {
	if !strings.Contains(string(f), ConfPrefix) {
		return string(f), ""
	}
	var obs, conf []string
	for _, c := range f.List() {
		if rest, ok := strings.CutPrefix(c, ConfPrefix); ok {
			conf = append(conf, rest)
		} else {
			obs = append(obs, c)
		}
	}
	return strings.Join(obs, " "), strings.Join(conf, " ")
}

// JoinFlags returns the flags in two SDMX attributes, which are lists separated by
// spaces.
func JoinFlags(obsStatus, confStatus string) Flags {
	codes := []string{obsStatus}
	for c := range strings.FieldsSeq(confStatus) {
		codes = append(codes, ConfPrefix+c)
	}
	return NewFlags(codes...)
}

// obsStatusMissing lists the codes of CL_OBS_STATUS 2.2 that mean a missing value:
// M cannot exist, L not collected, H holiday, O missing, Q suppressed.
var obsStatusMissing = []string{"H", "L", "M", "O", "Q"}

// Missing reports whether a flag means that the value is missing, even if there is
// a number.
func (f Flags) Missing() bool {
	if len(f) < 2 { // like most
		return f != "" && slices.Contains(obsStatusMissing, string(f))
	}
	return slices.ContainsFunc(obsStatusMissing, f.Has)
}
