package topics_test

import (
	"slices"
	"testing"

	"almanac/internal/topics"
)

func TestFindByCodeAndName(t *testing.T) {
	for _, text := range []string{"1.2", "Labour", "arbeit", "Travail", "trabajo", " lavoro "} {
		if got, ok := topics.Find(text); !ok || got.Code != "1.2" {
			t.Errorf("Find(%q) = %v, %v, want 1.2", text, got.Code, ok)
		}
	}
	if got, ok := topics.Find("9.9"); ok {
		t.Errorf("Find(9.9) = %v, want none", got)
	}
}

func TestOf(t *testing.T) {
	if got := topics.Of("Unemployment by sex and age"); !slices.Equal(got, []string{"1.2"}) {
		t.Errorf("Of = %v, want 1.2", got)
	}
}
