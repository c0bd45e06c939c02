package office

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// ObsStatus are the codes of SDMX CL_OBS_STATUS 2.2.
var ObsStatus = strings.Fields("A B D E F G H I J K L M N O P Q S U V W")

// meanings are the codes of CL_OBS_STATUS 2.2 that equal an office's own codes of
// observation status, by source, code list ([stat.ListName], "" for any) and code.
// A code with "" has no equal: it is kept as the office's own, like every code that is not
// in the list of a listed office.
var meanings = map[string]map[string]map[string]string{
	// ILO: A is adjusted and M model-based, and neither normal nor missing.
	// Its X is "not applicable", S "not significant", N "not available".
	"ilo": {"": {
		"B": "B", "E": "E", "P": "P", "F": "F", "U": "U", "I": "I", "X": "M", "S": "N", "N": "O", "C": stat.ConfPrefix + "C",
		"A": "", "M": "", "L": "", "R": "", "Z": "", // adjusted, model-based, computed, real value, not official estimate
	}},
	// OECD's MEI: Z is an absolute zero.
	"oecd": {"": {"B": "B", "E": "E", "P": "P", "F": "F", "D": "D", "M": "M", "L": "L", "Q": "Q", "N": "N", "U": "U", "A": "A", "Z": "", "O": "O"}},
	// Statistics Canada: letters are grades of quality.
	// Its SDMX has numbers for what its tables show as letters and dots.
	"statcan": {
		"": {"P": "", "E": "", "F": "", "..": "M", "...": "M", "X": "Q"},
		"status_can": {
			"0": "A", "1": "M", "2": "STATCAN:0s", "3": "STATCAN:A", "4": "STATCAN:B", "5": "STATCAN:C", "6": "STATCAN:D",
			"7": "STATCAN:E", "8": "STATCAN:F", "9": "M", "10": "STATCAN:<LOD",
		},
		"symbol": {"0": "A", "1": "P", "3": "STATCAN:r"},
	},
	"fao": {"": {"*": "", "A": "A", "E": "E", "I": "I", "M": "M", "P": "P", "F": "F", "B": "B", "Q": "Q", "L": "L", "N": "N", "U": "U",
		"O": "O", "V": "V", "X": "", "T": "", // figure of an international organization, unofficial figure
	}},
	// The Bureau of Labor Statistics: the other footnotes are those of single surveys.
	"bls": {"": {"P": "P"}},
	// The Federal Reserve: not available, no data, not calculable.
	"frb":       {"": {"A": "A", "NA": "O", "ND": "O", "NC": "M"}},
	"worldbank": {"": {"A": "A", "B": "B", "E": "E", "F": "F", "P": "P", "D": "D", "U": "U", "M": "M"}},
}

// words are words for the status of an observation, in lower case, as tables of authors without a code list have
// them, by the codes of CL_OBS_STATUS 2.2 that equal them. Those of "" have none.
var words = map[string][]string{
	"A": {"actual", "normal"},
	"P": {"provisional", "preliminary", "vorläufig", "vorläufige", "provisoire", "provisoires", "provisorio", "provvisorio", "provvisori", "provisório", "preliminar", "voorlopig"},
	"E": {"estimate", "estimates", "estimated", "schätzung", "geschätzt", "estimation", "estimations", "estimé", "estimación", "estimado", "stima", "stimato", "estimativa", "schatting"},
	"F": {"forecast", "forecasts", "forecasted", "projection", "projections", "projected", "prognose", "projektion", "prévision", "prévisions", "previsión",
		"proyección", "previsione", "proiezione", "previsão", "projeção", "raming"},
	"": {"final", "revised", "definitive", "semi-definitive", "endgültig", "revidiert", "définitif", "semi-définitif", "révisé", "definitivo", "revisado", "rivisto", "definitief", "herzien"},
}

// ofWords are the codes of the words.
var ofWords = func() map[string]string {
	codes := map[string]string{}
	for code, of := range words {
		for _, word := range of {
			codes[word] = code
		}
	}
	return codes
}()

// IsStatus reports whether a text is a word for the status of observations, in any case.
func IsStatus(text string) bool {
	_, isWord := ofWords[strings.ToLower(text)]
	return isWord
}

// ofNotes are the codes of CL_OBS_STATUS 2.2 that equal a whole note on a value, in lower case, beside single words. A
// longer note may speak of other values.
var ofNotes = map[string]string{
	"break": "B", "break in series": "B", "break in the series": "B", "break in time series": "B", "break in the time series": "B",
	"series break": "B", "time series break": "B",
	"provisional value": "P", "provisional data": "P", "provisional figure": "P",
	"preliminary value": "P", "preliminary data": "P", "preliminary figure": "P",
	"estimated value": "E", "estimated data": "E", "imputed": "I", "imputed value": "I",
	"unreliable": "U", "low reliability": "U",
}

// NoteFlags returns the flag of a note that is the name of a status, such as "Break in series". A note
// that says more has none.
func NoteFlags(note string) stat.Flags {
	note = strings.ToLower(strings.TrimSuffix(note, "."))
	if word := ofWords[note]; word != "A" && word != "" {
		return stat.Flags(word)
	}
	return stat.Flags(ofNotes[note])
}

// Status returns what a code of an office's list of observation status means: codes
// of CL_OBS_STATUS 2.2, or source:code for a code without an equal and for an unknown one. A code
// of an office without a list here may be a word: "forecast". The list is "" if the file does not
// name it.
func Status(source, list, code string) (flags stat.Flags, known bool) {
	code = strings.TrimSpace(code)
	if code == "" {
		return "", true
	}
	if source == "eurostat" && strings.EqualFold(list, "obs_flag") {
		return eurostatFlags(code)
	}
	lists, isListed := meanings[source]
	table := lists[stat.ListName(list)]
	if table == nil {
		table = lists[""]
	}
	meaning, known := table[strings.ToUpper(code)]
	switch {
	case source == "oecd" && code == "o": // a footnote of single tables; O is a missing value
		return OwnFlag(source, code), false
	case meaning != "":
		return stat.NewFlags(meaning), true
	case !isListed && (list == "" || stat.ListName(list) == "obs_status") && slices.Contains(ObsStatus, code):
		return stat.NewFlags(code), true
	}
	if word := ofWords[strings.ToLower(code)]; word != "" && !isListed {
		return stat.NewFlags(word), true
	}
	return OwnFlag(source, code), known
}

// OwnFlag returns the flag for a code or mark of one source.
func OwnFlag(source, code string) stat.Flags {
	return stat.NewFlags(strings.ToUpper(source) + ":" + strings.ReplaceAll(code, " ", "-"))
}

// eurostatLetters are the letters of Eurostat's list OBS_FLAG, which its dictionary
// calls "flags", with the equal codes of CL_OBS_STATUS 2.2; a letter without one is
// kept as the office's own. Case matters.
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

// eurostatFlags reads a sequence of letters, each optionally after an @: "bdu" is
// three flags. Any other text is kept as it is.
func eurostatFlags(text string) (flags stat.Flags, known bool) {
	own := OwnFlag("estat", text)
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

// WithoutNumber returns the flags of a missing value of Eurostat: a confidential
// value is suppressed.
func WithoutNumber(flags stat.Flags) stat.Flags {
	if flags.Has(stat.ConfPrefix + "C") {
		return stat.NewFlags(string(flags), "Q")
	}
	return flags
}

// maxLetters is the maximum length of a sequence of Eurostat's letters, including
// spaces and @.
const maxLetters = 12

// Confidentiality returns a code of SDMX CL_CONF_STATUS as a flag; "" is no flag.
func Confidentiality(code string) stat.Flags {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return stat.NewFlags(stat.ConfPrefix + strings.ReplaceAll(strings.ToUpper(code), " ", "-"))
}
