package sdmxrest

import (
	"strings"
	"testing"

	"almanac/internal/stat"
)

func TestVersions(t *testing.T) {
	kept := strings.Fields("1.2 1.3 1.9 2.0 2.1")
	for _, c := range []struct{ text, want string }{
		{"", "2.1"}, {"+", "2.1"}, {"~", "2.1"}, {"latest", "2.1"},
		{"*", "1.2 1.3 1.9 2.0 2.1"}, {"all", "1.2 1.3 1.9 2.0 2.1"},
		{"1.3.0", "1.3"}, {"1.3", "1.3"}, {"2", "2.0"}, {"1", ""}, {"1.3.1", ""}, {"3.0", ""},
		{"1+.3.0", "2.1"}, {"1+.0", "2.1"}, {"1.3+.0", "1.9"}, {"1.3~.0", "1.9"}, {"1.3.0+", "1.3"}, {"1.0+.0", "1.9"}, {"3+.0.0", ""},
		{"+.0.0", "2.1"}, {"1.+.0", "1.9"}, {"1.+", "1.9"}, {"1.~", "1.9"}, {"1.3.+", "1.3"},
		{"1.*", "1.2 1.3 1.9"}, {"1.3*.0", "1.3 1.9"}, {"1*.9", "1.9 2.0 2.1"}, {"*.0", "1.2 1.3 1.9 2.0 2.1"},
		{"1.2,2.0.0", "1.2 2.0"}, {"2.0+1.2", "1.2 2.0"}, {"+,1.2*.0", "1.2 1.3 1.9 2.1"}, {"latest,1.2", "1.2 2.1"},
	} {
		v, err := ParseVersions(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := strings.Join(v.Of(kept), " "); got != c.want {
			t.Errorf("%s names %s, want %s", c.text, got, c.want)
		}
	}
	for _, text := range []string{"x", "1.x", "1.2.3.4", "1..2", "1.+.+", "-1", "v1.0", "12345678901"} {
		if _, err := ParseVersions(text); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%s: %v, want an invalid request", text, err)
		}
	}
}
