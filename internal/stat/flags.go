package stat

import (
	"slices"
	"strings"
)

// Flags are the remarks on one observation: codes of SDMX CL_OBS_STATUS 2.2
// ("B", "P"), an office's own marks that have no equal there
// ("ESTAT:i"), and confidentiality ("CONF_STATUS:C"). Written as the codes in
// order with a space between; the zero value is none. A string, so that it is
// comparable and costs nothing to copy.
type Flags string

// ConfPrefix marks the codes of CL_CONF_STATUS among [Flags].
const ConfPrefix = "CONF_STATUS:"

// NewFlags joins codes to Flags, ordered and each once. An empty code is none.
func NewFlags(codes ...string) Flags {
	codes = strings.Fields(strings.Join(codes, " "))
	slices.Sort(codes)
	return Flags(strings.Join(slices.Compact(codes), " "))
}

// List returns the codes; nil where there are none.
func (f Flags) List() []string {
	if f == "" {
		return nil
	}
	return strings.Split(string(f), " ")
}

// Has reports whether code is among the flags.
func (f Flags) Has(code string) bool {
	for c := range strings.SplitSeq(string(f), " ") {
		if c == code && code != "" {
			return true
		}
	}
	return false
}

// Split returns the observation status (everything but confidentiality) and
// the confidentiality status without its prefix, as the two attributes
// OBS_STATUS and CONF_STATUS of SDMX. Join is the inverse.
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

// JoinFlags makes Flags from the two attributes of SDMX, each a list with
// spaces between.
func JoinFlags(obsStatus, confStatus string) Flags {
	codes := []string{obsStatus}
	for c := range strings.FieldsSeq(confStatus) {
		codes = append(codes, ConfPrefix+c)
	}
	return NewFlags(codes...)
}

// obsStatusMissing are the codes of CL_OBS_STATUS 2.2 that say there is no
// value: M cannot exist, L not collected, H holiday, O missing, Q suppressed.
var obsStatusMissing = []string{"H", "L", "M", "O", "Q"}

// Missing reports whether a flag says that there is no value, whatever number
// stands beside it.
func (f Flags) Missing() bool {
	for _, m := range obsStatusMissing {
		if f.Has(m) {
			return true
		}
	}
	return false
}
