package demand

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStoredText(t *testing.T) {
	kept := map[string]string{
		"upper case and white space": "  Unemployment\tRate  Germany ",
		"other scripts":              "失業率 日本",
		"Greek":                      "Ανεργία Ελλάδα",
		"code with digits":           "61111-0001",
		"table number of StatCan":    "14-10-0287-01",
		"indicator":                  "SP.POP.TOTL",
		"long code":                  "DF_BOP_CURRENT_ACCOUNT_2015",
		"span of years":              "gdp 1995-2024",
		"dates":                      "exports 2024-01-31",
		"question":                   "How many people are out of work in France?",
		"control characters":         "a\x00b\u0085c",
		"reference":                  "eurostat:une_rt_a",
		"several codes":              "eurostat:une_rt_a une_rt_q une_rt_m",
		"long word":                  "Rindfleischetikettierungsüberwachung Verbraucherpreisindexveraenderungsrate",
		"reference with @":           "oecd:DSD_HEALTH_STAT@DF_LE",
		"reference with agency":      "oecd:OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA,1.0",
		"classification":             "NACE 01.1 02.3",
	}
	for name, text := range kept {
		if got := storedText(text); got == "" || strings.ContainsAny(got, "\x00\t\n") || got != strings.ToLower(got) {
			t.Errorf("%s: %q is stored as %q", name, text, got)
		}
	}
	for name, text := range map[string]string{
		"key":                "alm_abcdefgh0123456789",
		"escaped key":        "alm%5Fabcdefgh0123456789",
		"e-mail":             "report for jane.doe@example.org",
		"e-mail, IDN":        "jürgen@köln.example.de",
		"e-mail alone":       "a@b.org?",
		"address":            "https://example.org/?token=1",
		"IPv4":               "traffic from 192.0.2.17",
		"IPv6":               "2001:db8:0:1::7",
		"telephone":          "call +49 30 1234567",
		"telephone, 00":      "0049 (30) 123-45-67",
		"card":               "4111 1111 1111 1111",
		"IBAN":               "DE89 3704 0044 0532 0130 00",
		"UUID":               "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
		"token":              "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
		"word password":      "my Password is hunter2",
		"Spanish password":   "contraseña hunter2",
		"API key of another": "api_key 123",
	} {
		if got := storedText(text); got != "" {
			t.Errorf("%s: %q is stored as %q, want nothing", name, text, got)
		}
	}
}

func FuzzStoredText(f *testing.F) {
	f.Add("unemployment rate")
	f.Add(strings.Repeat("ä ", 300))
	f.Add("a\xff\xfeb")
	f.Fuzz(func(t *testing.T, text string) {
		got := storedText(text)
		if utf8.RuneCountInString(got) > maxText || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\x00") {
			t.Errorf("%q is stored as %q", text, got)
		}
		if again := storedText(got); again != got && again != "" {
			t.Errorf("%q is stored as %q, and that as %q", text, got, again)
		}
	})
}
