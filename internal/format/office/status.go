package office

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// obsStatus are the codes of SDMX CL_OBS_STATUS 2.2.
var obsStatus = strings.Fields("A B D E F G H I J K L M N O P Q S U V W")

// meanings are the offices' own codes of observation status, by source and
// code list ([stat.ListName], "" for any), and then by code: what they are in
// CL_OBS_STATUS 2.2. A code that is listed with "" stays the office's own. A
// list with "*" keeps all codes that are not listed as the office's own; so
// does every list of an office that is not listed here, unless it is called
// CL_OBS_STATUS.
var meanings = map[string]map[string]map[string]string{
	// ILO: A is adjusted and M model-based, and neither normal nor missing.
	// Its X is "not applicable", S "not significant", N "not available".
	"ilo": {"": {
		"*": "", "B": "B", "E": "E", "P": "P", "F": "F", "U": "U", "I": "I", "X": "M", "S": "N", "N": "O", "C": stat.ConfPrefix + "C",
		"A": "", "M": "", "L": "", "R": "", "Z": "", // adjusted, model-based, computed, real value, not official estimate
	}},
	// OECD's MEI: Z is an absolute zero.
	"oecd": {"": {"B": "B", "E": "E", "P": "P", "F": "F", "D": "D", "M": "M", "L": "L", "Q": "Q", "N": "N", "U": "U", "A": "A", "Z": "", "*": ""}},
	// Statistics Canada: letters are grades of quality.
	// Its SDMX has numbers for what its tables show as letters and dots.
	"statcan": {
		"": {"*": "", "P": "", "E": "", "F": "", "..": "M", "...": "M", "X": "Q"},
		"status_can": {
			"*": "", "0": "A", "1": "M", "2": "STATCAN:0s", "3": "STATCAN:A", "4": "STATCAN:B", "5": "STATCAN:C", "6": "STATCAN:D",
			"7": "STATCAN:E", "8": "STATCAN:F", "9": "M", "10": "STATCAN:<LOD",
		},
		"symbol": {"*": "", "0": "A", "1": "P", "3": "STATCAN:r"},
	},
	"fao": {"": {"*": "", "A": "A", "E": "E", "I": "I", "M": "M", "P": "P", "F": "F", "B": "B", "Q": "Q", "L": "L", "N": "N", "U": "U",
		"O": "O", "V": "V", "X": "", "T": "", // figure of an international organization, unofficial figure
	}},
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
	if source == "eurostat" && strings.EqualFold(list, "obs_flag") {
		return eurostatFlags(code)
	}
	own := stat.NewFlags(strings.ToUpper(source) + ":" + strings.ReplaceAll(code, " ", "-"))
	lists, listed := meanings[source]
	table := lists[stat.ListName(list)]
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
	if standard && slices.Contains(obsStatus, code) {
		return stat.NewFlags(code), true
	}
	return own, false
}

// eurostatLetters says what the letters of Eurostat's list OBS_FLAG, which its
// dictionary calls "flags", are in CL_OBS_STATUS 2.2; where there is no equal
// there, the letter is kept as the office's own mark. Their case matters.
var eurostatLetters = map[string]stat.Flags{
	"b":  "B",                   // break in time series
	"c":  stat.ConfPrefix + "C", // confidential
	"d":  "D",                   // definition differs
	"e":  "E",                   // estimated
	"f":  "F",                   // forecast
	"i":  "ESTAT:i",             // see metadata
	"n":  "N",                   // not significant
	"p":  "P",                   // provisional
	"r":  "ESTAT:r",             // revised
	"s":  "E ESTAT:s",           // Eurostat estimate
	"u":  "U",                   // low reliability
	"z":  "M",                   // not applicable
	"@C": stat.ConfPrefix + "C", // confidential, as a list of its own
}

// eurostatFlags reads letters, each perhaps with an @ before it, that may
// stand one after another: "bdu" is three flags. A text that is no such row of
// letters stays as it is.
func eurostatFlags(text string) (flags stat.Flags, known bool) {
	own := stat.NewFlags("ESTAT:" + strings.ReplaceAll(text, " ", "-"))
	if len(text) > maxLetters {
		return own, false // a word
	}
	var codes []string
	for rest := text; rest != ""; {
		size := 1
		if rest[0] == '@' && len(rest) > 1 {
			size = 2
		}
		meaning, ok := eurostatLetters[rest[:size]]
		if !ok {
			return own, false
		}
		codes = append(codes, string(meaning))
		rest = strings.TrimLeft(rest[size:], " ")
	}
	return stat.NewFlags(codes...), true
}

// maxLetters is how long a row of Eurostat's letters is at most, spaces and @
// included.
const maxLetters = 12

// Confidentiality is a code of SDMX CL_CONF_STATUS as a flag; "" is none.
func Confidentiality(code string) stat.Flags {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return stat.NewFlags(stat.ConfPrefix + strings.ReplaceAll(strings.ToUpper(code), " ", "-"))
}
