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
		{"cash rate yesterday", "cash rate 2026-02-09"},
		{"Leitzins gestern", "Leitzins 2026-02-09"},
		{"cash rate tomorrow", "cash rate 2026-02-11"},
		{"cash rate last week", "cash rate W06/2026"},
		{"cash rate two weeks ago", "cash rate W05/2026"},
		{"population France next year", "population France 2027"},
		{"Bevölkerung Frankreich nächstes Jahr", "Bevölkerung Frankreich 2027"},
		{"population de la France l'année prochaine", "population de la France 2027"},
		{"población de Francia el próximo año", "población de Francia 2027"},
		{"popolazione Francia l'anno prossimo", "popolazione Francia 2027"},
		{"GDP growth next quarter", "GDP growth Q2 2026"},
		{"population this decade", "population 2020-2029"},
		{"population next decade", "population 2030-2039"},
		{"population France in the 1990s", "population France in 1990-1999"},
		{"population France in the early 90s", "population France in 1990-1999"},
		{"people in their 60s", "people in their 60s"},
		{"Bevölkerung in den 1990er Jahren", "Bevölkerung in 1990-1999"},
		{"Bevölkerung in den 90er Jahren", "Bevölkerung in 1990-1999"},
		{"population dans les années 1990", "population dans 1990-1999"},
		{"población en los años 90", "población en 1990-1999"},
		{"popolazione negli anni ’80", "popolazione 1980-1989"},
		{"personas de 65 a 90 años", "personas de 65 a 90 años"},
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
