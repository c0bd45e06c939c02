package strength

import (
	"math"
	"testing"
)

// Each password has about the bits of what it is made of, whatever its length is.
func TestBits(t *testing.T) {
	own := []string{"ann.lee@example.org", "lee", "almanac"}
	for _, c := range []struct {
		name, password string
		least, most    float64
	}{
		{"empty", "", 0, 0},
		{"one character", "x", 4, 5},
		{"random characters", "kT9$mWq2!pLx7@zR", 95, 105},
		{"random letters", "xkvqjwpzhbnmfty", 60, 71},
		{"four words", "correct horse battery staple", 55, 70},
		{"four words without spaces", "correcthorsebatterystaple", 40, 50},
		{"words of another language", "die katze schläft im garten", 90, 130},
		{"other letters", "кошка спит в саду", 60, 101},
		{"a common password", "password", 0, 2},
		{"common passwords in a row", "iloveyou12345678", 0, 15},
		{"characters for letters", "P@$$w0rd", 3, 8},
		{"characters for letters, with a capital", "P@$$w0rdP@$$w0rd", 4, 9},
		{"backwards", "drowssap", 1, 3},
		{"capitals in between", "pAsSwOrD", 7, 10},
		{"a name", "Jennifer", 2, 6},
		{"own words", "Ann.Lee@Example.org", 0, 10},
		{"own words with a year", "lee-almanac-1984", 5, 25},
		{"letters in a row", "abcdefghijklmnop", 5, 10},
		{"letters in a row, backwards", "zyxwvutsrqponmlkj", 5, 10},
		{"digits in a row", "3456789", 5, 10},
		{"keys in a row", "sdfghjkl;'", 5, 15},
		{"keys in columns", "1qaz2wsx3edc4rfv", 5, 25},
		{"keys of a German keyboard", "qwertzuiopü+", 5, 15},
		{"keys of a French keyboard", "azertyuiopqsdfghjklm", 5, 25},
		{"keys with Shift", "!\"§$%&/()", 5, 15},
		{"one character many times", "aaaaaaaaaaaaaaaaaaaaaaaa", 5, 12},
		{"one group many times", "x7qx7qx7qx7qx7qx7q", 10, 20},
		{"one word many times", "longlonglonglong", 5, 12},
		{"a repetition of repetitions", "aabaabccaabaabccaabaabcc", 10, 30},
		{"a year", "1984", 5, 9},
		{"dates", "24121984", 5, 17},
		{"dates with separators", "24.12.1984", 5, 17},
		{"no date", "99.99.1984", 18, 50},
	} {
		if bits := Bits(c.password, own); bits < c.least || bits > c.most {
			t.Errorf("%s: %q has %.1f bits, want %.0f to %.0f", c.name, c.password, bits, c.least, c.most)
		}
	}
}

// No password has more bits than random characters of its kinds.
func FuzzBits(f *testing.F) {
	f.Add("correct horse 1984", "horse")
	f.Add("\x00\xff", "")
	f.Add("ßİ4@|", "i̇")
	f.Fuzz(func(t *testing.T, password, own string) {
		text := []rune(password)
		if len(text) > 40 {
			t.Skip("the time grows with the third power of the length")
		}
		bits := Bits(password, []string{own})
		if most := float64(len(text)) * math.Log2(max(alphabet(text), 1)); bits < 0 || bits > most+1e-6 {
			t.Errorf("%q has %v bits, want 0 to %v", password, bits, most)
		}
	})
}
