package office

import (
	"strings"
	"testing"

	"almanac/internal/stat"
)

// TestEurostatFlags: each of several letters is a flag; any other text is kept as it
// is.
func TestEurostatFlags(t *testing.T) {
	for text, want := range map[string]struct {
		flags stat.Flags
		known bool
	}{
		"":                     {"", true},
		"b":                    {"B", true},
		"bdu":                  {"B D U", true},
		"b e p":                {"B E P", true},
		"s":                    {"E ESTAT:s", true},
		"@C":                   {"CONF_STATUS:C", true},
		"z":                    {"M", true},
		"@":                    {"ESTAT:@", false},
		"B":                    {"ESTAT:B", false},
		"bx":                   {"ESTAT:bx", false},
		"break in time series": {"ESTAT:break-in-time-series", false},
	} {
		flags, known := Status("eurostat", "OBS_FLAG", text)
		if flags != want.flags || known != want.known {
			t.Errorf("%q is %q (known %v), want %q (%v)", text, flags, known, want.flags, want.known)
		}
	}
	if flags, _ := Status("eurostat", "", "B"); flags != "B" {
		t.Errorf("B of CL_OBS_STATUS is %q at Eurostat", flags)
	}
}

// TestWords: the words of authors without a list have codes of SDMX; those of an office with a list have not.
func TestWords(t *testing.T) {
	for _, c := range []struct{ source, list, code, want string }{
		{"local", "Status", "Forecast", "F"}, {"local", "", "projection", "F"}, {"local", "Flag", "provisional", "P"}, {"local", "Status", "actual", "A"},
		{"local", "Status", "f", "LOCAL:f"}, {"local", "Status", "final", "A"}, {"bls", "", "forecast", "BLS:forecast"},
		{"local", "", "Schätzung", "E"}, {"local", "Estado", "Previsión", "F"}, {"local", "", "provisoires", "P"}, {"local", "", "endgültig", "A"},
		{"local", "", "Définitif", "A"}, {"local", "", "definitivo", "A"}, {"local", "", "revised final", "A LOCAL:revised"}, {"local", "", "Final estimate", "E"},
		{"local", "", "Revised", "LOCAL:Revised"}, {"local", "", "provisional, estimated", "E P"}, {"local", "", "nader voorlopig", "LOCAL:nader-voorlopig"},
		{"local", "", "Break in series", "B"}, {"local", "", "low reliability", "U"}, {"local", "", "nicht signifikant", "N"}, {"local", "", "imputé", "I"},
		{"local", "", "not available", "O"}, {"local", "", "Suppressed", "Q"}, {"local", "", "vertraulich", "CONF_STATUS:C"}, {"local", "", "no aplica", "M"},
		{"local", "", "estimated by the bank", "LOCAL:estimated-by-the-bank"}, {"local", "", "n/a", "LOCAL:n/a"}, {"bls", "", "final", "BLS:final"},
	} {
		if flags, _ := Status(c.source, c.list, c.code); string(flags) != c.want {
			t.Errorf("%s of %s in the list %q is %q, want %q", c.code, c.source, c.list, flags, c.want)
		}
	}
}

// TestEachWordOnce: no word has two meanings.
func TestEachWordOnce(t *testing.T) {
	seen := map[string]string{}
	for code, words := range statusWords {
		for word := range strings.SplitSeq(words, ",") {
			word = strings.TrimSpace(word)
			if other, isSeen := seen[word]; isSeen || word == "" || word != strings.ToLower(word) {
				t.Errorf("the word %q of %q is also one of %q, empty or in capitals", word, code, other)
			}
			seen[word] = code
		}
	}
}

// TestNoteFlags: a note that is the name of a status is a flag, and one that says more is not.
func TestNoteFlags(t *testing.T) {
	for note, want := range map[string]stat.Flags{
		"Break": "B", "Break in series": "B", "Break in time series.": "B", "provisional": "P", "Estimated value": "E", "Projection": "F", "Unreliable": "U", "Prévision": "F", "vorläufig": "P",
		"": "", "Break in 1990": "", "Excludes provisional data": "", "Estimate of the secretariat": "", "Actual": "", "final": "", "Not available": "", "suppressed": "", "confidential": "", "Zeitreihenbruch": "B", "dato provvisorio": "P",
	} {
		if got := NoteFlags(note); got != want {
			t.Errorf("the note %q has the flags %q, want %q", note, got, want)
		}
	}
}

// TestOwnLists: an office's list goes before that of SDMX.
func TestOwnLists(t *testing.T) {
	for _, c := range []struct{ source, list, code, want string }{
		{"oecd", "", "O", "O"}, {"oecd", "", "o", "OECD:o"}, {"oecd", "", "e", "E"}, {"oecd", "CL_OBS_STATUS", "Z", "OECD:Z"},
		{"frb", "", "ND", "O"}, {"frb", "CL_OBS_STATUS", "NC", "M"}, {"ilo", "", "A", "ILO:A"}, {"ecb", "", "A", "A"},
	} {
		if flags, _ := Status(c.source, c.list, c.code); string(flags) != c.want {
			t.Errorf("%s of %s in the list %q is %q, want %q", c.code, c.source, c.list, flags, c.want)
		}
	}
}

// TestExponent: the Federal Reserve's multipliers are factors.
func TestExponent(t *testing.T) {
	for code, want := range map[string]string{"1": "0", "1000000": "6", ".01": "-2", "12": "12", "": "", "-1": "-1"} {
		if got := Exponent("frb", code); got != want {
			t.Errorf("%q is %q, want %q", code, got, want)
		}
	}
	if got := Exponent("oecd", "6"); got != "6" {
		t.Errorf("6 of the OECD is %q", got)
	}
}
