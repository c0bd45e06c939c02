package hits

import (
	"testing"
	"time"
)

// TestReadRelative checks that periods which depend on the day of a question are read in each language.
func TestReadRelative(t *testing.T) {
	now := time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ question, want string }{
		{"unemployment in Spain last year", "unemployment in Spain 2025"},
		{"What was unemployment in Spain a year ago?", "What was unemployment in Spain 2025?"},
		{"population France ten years ago", "population France 2016"},
		{"inflation last month", "inflation 2026-01"},
		{"GDP last quarter", "GDP Q4 2025"},
		{"GDP growth this year", "GDP growth 2026"},
		{"GDP growth over the last 10 years", "GDP growth since 2016"},
		{"GDP growth in the past decade", "GDP growth since 2016"},
		{"Arbeitslosenquote Spanien letztes Jahr", "Arbeitslosenquote Spanien 2025"},
		{"Arbeitslosenquote Spanien vor einem Jahr", "Arbeitslosenquote Spanien 2025"},
		{"Arbeitslosenquote Spanien vor zwei Jahren", "Arbeitslosenquote Spanien 2024"},
		{"Arbeitslosenquote Spanien in den letzten fünf Jahren", "Arbeitslosenquote Spanien since 2021"},
		{"chômage en Espagne l'an dernier", "chômage en Espagne 2025"},
		{"chômage en Espagne l’année dernière", "chômage en Espagne 2025"},
		{"chômage en Espagne il y a deux ans", "chômage en Espagne 2024"},
		{"paro en España el año pasado", "paro en España 2025"},
		{"paro en España hace tres años", "paro en España 2023"},
		{"disoccupazione in Spagna l'anno scorso", "disoccupazione in Spagna 2025"},
		{"disoccupazione in Spagna due anni fa", "disoccupazione in Spagna 2024"},
		{"What is unemployment in Spain now, and a year ago?", "What is unemployment in Spain now, and ?"},
		{"inflation compared to last year", "inflation compared to"},
		{"GDP, change on previous year", "GDP, change on previous year"},
		{"the last value of GDP", "the last value of GDP"},
		{"children aged a year", "children aged a year"},
		{"vor 2000", "vor 2000"},
	} {
		if got, _ := readRelative(c.question, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.question, got, c.want)
		}
	}
}
