package chart

import (
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
)

// testingT is the part of *testing.T and *rapid.T that scene checks need.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkScene fails the test if a picture is hard to read.
func checkScene(t testingT, sc *scene.Scene) {
	t.Helper()
	for _, problem := range layoutcheck.Check(sc) {
		t.Errorf("%s", problem)
	}
}

// marksOf returns the marks with a role, in drawing order.
func marksOf(sc *scene.Scene, role string) []scene.Mark {
	var found []scene.Mark
	for _, m := range sc.Marks {
		if m.Tags().Role == role {
			found = append(found, m)
		}
	}
	return found
}

// textsOf returns the texts with a role, in drawing order.
func textsOf(sc *scene.Scene, role string) []string {
	var found []string
	for _, m := range marksOf(sc, role) {
		if text, ok := m.(*scene.Text); ok {
			found = append(found, text.Text)
		}
	}
	return found
}
