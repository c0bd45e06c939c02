package stat

import "testing"

func TestListedCode(t *testing.T) {
	for _, c := range []struct{ source, code, want string }{
		{"statcan", "DF_34100158", "34100158"},
		{"statcan", "34100158", "34100158"},
		{"statcan", "DF_3410015", "DF_3410015"},
		{"statcan", "DF_3410015A", "DF_3410015A"},
		{"ilo", "DF_34100158", "DF_34100158"},
	} {
		if got := ListedCode(c.source, c.code); got != c.want {
			t.Errorf("ListedCode(%s, %s) = %s, want %s", c.source, c.code, got, c.want)
		}
	}
}
