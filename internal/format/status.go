package format

import (
	"strings"

	"almanac/internal/stat"
)

// obsStatus are the codes of SDMX CL_OBS_STATUS 2.2.
const obsStatus = "A B D E F G H I J K L M N O P Q S U V W"

// meanings are the offices' own codes of observation status, by source and
// code list (in lower case, "" for any), and then by code: what they are in
// CL_OBS_STATUS 2.2. A code that is listed with "" stays the office's own. A
// list with "*" keeps all codes that are not listed as the office's own; so
// does every list of an office that is not listed here, unless it is called
// CL_OBS_STATUS.
var meanings = map[string]map[string]map[string]string{
	// ILO: A is adjusted and M model-based, and neither normal nor missing.
	"ilo": {"": {"*": "", "B": "B", "E": "E", "P": "P", "F": "F", "U": "U"}},
	// OECD's MEI: Z is an absolute zero.
	"oecd": {"": {"B": "B", "E": "E", "P": "P", "F": "F", "D": "D", "M": "M", "L": "L", "Q": "Q", "N": "N", "U": "U", "A": "A", "*": ""}},
	// Statistics Canada: letters are grades of quality.
	"statcan":   {"": {"*": "", "P": "", "E": "", "F": "", "..": "M", "...": "M", "X": "Q"}},
	"fao":       {"": {"*": "", "A": "A", "E": "E", "I": "I", "M": "M", "P": "P", "F": "F", "B": "B", "Q": "Q", "L": "L", "N": "N", "U": "U"}},
	"worldbank": {"": {"*": "", "A": "A", "B": "B", "E": "E", "F": "F", "P": "P", "D": "D", "U": "U", "M": "M"}},
}

// Status tells what a code of an office's list of observation status means:
// codes of CL_OBS_STATUS 2.2, and source:code for what has no equal there. The
// list may be "" where the file does not name it. known is false where nothing
// is known of the code, which is then kept as the office's own.
func Status(source, list, code string) (flags stat.Flags, known bool) {
	code = strings.TrimSpace(code)
	if code == "" {
		return "", true
	}
	own := stat.NewFlags(strings.ToUpper(source) + ":" + strings.ReplaceAll(code, " ", "-"))
	lists, listed := meanings[source]
	table := lists[strings.ToLower(list)]
	if table == nil {
		table = lists[""]
	}
	if meaning, ok := table[strings.ToUpper(code)]; ok {
		if meaning == "" {
			return own, true
		}
		return stat.NewFlags(meaning), true
	}
	if _, rest := table["*"]; rest {
		return own, false
	}
	standard := !listed && (list == "" || stat.ListName(list) == "obs_status")
	if standard && isObsStatus(code) {
		return stat.NewFlags(code), true
	}
	return own, false
}

func isObsStatus(code string) bool {
	for c := range strings.FieldsSeq(obsStatus) {
		if c == code {
			return true
		}
	}
	return false
}

// Confidentiality is a code of SDMX CL_CONF_STATUS as a flag; "" is none.
func Confidentiality(code string) stat.Flags {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return stat.NewFlags(stat.ConfPrefix + strings.ReplaceAll(strings.ToUpper(code), " ", "-"))
}
