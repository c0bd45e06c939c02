package defaults

import (
	"slices"
	"testing"
)

func TestLookUp(t *testing.T) {
	known, ok := LookUp("eurostat", "UNE_RT_A")
	if !ok || known.Concept != "unemployment-rate" || !slices.Equal(known.Codes["unit"], []string{"PC_ACT"}) {
		t.Errorf("une_rt_a: %+v, %t", known, ok)
	}
	if _, ok := LookUp("who", "une_rt_a"); ok {
		t.Error("une_rt_a is in the table for WHO")
	}
}

func TestTableIsReadable(t *testing.T) {
	if _, err := readTable(wellKnownText); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"x\na\tb\tc=d", "x\na\tb\tc\t\tref", "x\na\tb\tc=d; c=e\t\tref", "x\na\tb\tc=d\t\tref\na\tB\tc=d\t\tref"} {
		if _, err := readTable(text); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}
