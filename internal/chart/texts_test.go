package chart

import "testing"

// The comma before the period of a map's title is that of the title's script.
func TestCommaOfScript(t *testing.T) {
	for _, c := range []struct{ title, locale, want string }{
		{"Unemployment rate", "", "Unemployment rate, "},
		{"Unemployment rate", "ja", "Unemployment rate, "},
		{"Ποσοστό ανεργίας", "", "Ποσοστό ανεργίας, "},
		{"معدل البطالة", "", "معدل البطالة، "},
		{"معدل البطالة", "ar", "معدل البطالة، "},
		{"失业率", "", "失业率，"},
		{"失業率", "ja", "失業率、"},
		{"年別のデータ", "", "年別のデータ、"},
	} {
		s := &Spec{}
		s.Locale = c.locale
		if got := s.withComma(c.title); got != c.want {
			t.Errorf("%q in locale %q: %q; want %q", c.title, c.locale, got, c.want)
		}
	}
}
