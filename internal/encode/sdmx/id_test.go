package sdmx_test

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stattest/property"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ name, text, id, dimension string }{
		{"an ID", "B1GQ", "B1GQ", "B1GQ"},
		{"signs that codes may have", "a_b-c@d$e", "a_b-c@d$e", "a_b-c_x40_d_x24_e"},
		{"a slash", "BE/BE0101", "BE_x2F_BE0101", "BE_x2F_BE0101"},
		{"a digit first", "2024", "2024", "X_x32_024"},
		{"a plus", "65+", "65_x2B_", "X_x36_5_x2B_"},
		{"a space and Arabic", "عمر x", "_x639__x645__x631__x20_x", "X_x639__x645__x631__x20_x"},
		{"nothing", "", "_x_", "X_x_"},
		{"what looks escaped", "a_x2F_b", "a_x5F_x2F_b", "a_x5F_x2F_b"},
		{"what is nearly escaped", "a_x2f_b_x", "a_x2f_b_x", "a_x2f_b_x"},
		{"X before an escape", "X/", "X_x2F_", "X_x58__x2F_"},
		{"a plane beyond the first", "𝒳", "_x1D4B3_", "X_x1D4B3_"},
		{"no UTF-8", "a\xff", "a_xD8FF_", "a_xD8FF_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sdmx.EscapeID(c.text); got != c.id {
				t.Errorf("as a code %q is %s, want %s", c.text, got, c.id)
			}
			if got := sdmx.EscapeName(c.text); got != c.dimension {
				t.Errorf("as a dimension %q is %s, want %s", c.text, got, c.dimension)
			}
		})
	}
}

var (
	isID   = regexp.MustCompile(`^[A-Za-z0-9_@$-]+$`)
	isName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
)

func checkEscape(t interface{ Fatalf(string, ...any) }, text string) {
	id, name := sdmx.EscapeID(text), sdmx.EscapeName(text)
	if !isID.MatchString(id) || sdmx.Unescape(id) != text {
		t.Fatalf("%q is the ID %s, which is %q", text, id, sdmx.Unescape(id))
	}
	if !isName.MatchString(name) || sdmx.UnescapeName(name) != text {
		t.Fatalf("%q is the name %s, which is %q", text, name, sdmx.UnescapeName(name))
	}
}

// Every text becomes an ID from which it can be read.
func TestEscapeIsReversible(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		checkEscape(t, rapid.String().Draw(t, "any"))
		checkEscape(t, rapid.StringMatching(`[X_x0-9A-Fa-f/]{0,12}`).Draw(t, "nearly escaped"))
	})
}

func FuzzEscape(f *testing.F) {
	for _, text := range []string{"", "B1GQ", "a/b", "_x2F_", "X_x_", "\xff\xfe", "_xD8FF_"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkEscape(t, text) })
}

// The flow of a list can be read from its ID, and lists of different flows have different IDs.
func TestListIDs(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a_@$/-]{1,8}`)
		flow, dimension := sdmx.EscapeID(text.Draw(t, "flow")), sdmx.EscapeName(text.Draw(t, "dimension"))
		id := sdmx.PartID("CL", flow, dimension)
		if !isName.MatchString(id) || sdmx.Unescape(sdmx.FlowOf("CL", id)) != sdmx.Unescape(flow) {
			t.Fatalf("%s of %s, %s belongs to %s", id, flow, dimension, sdmx.FlowOf("CL", id))
		}
	})
}
