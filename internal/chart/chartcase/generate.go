package chartcase

import (
	"fmt"
	"math"
	"slices"

	"almanac/internal/chart"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// generate sets the series that a line such as "generate: 40 series of 30 years" asks for.
func (s *Case) generate(text string) error {
	var n, length int
	var what string
	if _, err := fmt.Sscanf(text, "%d series of %d %s", &n, &length, &what); err == nil {
		return s.timeSeries(n, length, what)
	}
	if _, err := fmt.Sscanf(text, "%d %s", &n, &what); err == nil && (what == "categories" || what == "ages") {
		series := chart.Series{Key: "value", Label: "value"}
		for i := range n {
			label, value := fmt.Sprintf("Category %d", i+1), 100*noise(i, 3)
			if what == "ages" {
				label, value = fmt.Sprintf("%d years", i), 900/(1+math.Exp(float64(i-75)/8))+150*math.Sin(float64(i)/11)
			}
			s.Spec.Categories = append(s.Spec.Categories, chart.Category{Label: label})
			series.Values = append(series.Values, round(value))
		}
		s.Spec.Series = []chart.Series{series}
		return nil
	}
	if text == "all outlines" {
		return s.allOutlines()
	}
	if _, err := fmt.Sscanf(text, "world %s", &what); err == nil {
		return s.world(what)
	}
	return fmt.Errorf("cannot generate %q", text)
}

// timeSeries makes up n series of years or months up to 2024.
func (s *Case) timeSeries(n, length int, what string) error {
	for i := range length {
		switch what {
		case "years":
			s.Spec.Periods = append(s.Spec.Periods, stat.NewPeriod(stat.Annual, 2025-length+i, 1))
		case "months":
			month := 2025*12 - length + i
			s.Spec.Periods = append(s.Spec.Periods, stat.NewPeriod(stat.Month, month/12, month%12+1))
		default:
			return fmt.Errorf("cannot generate %q; it must be years or months", what)
		}
	}
	for i := range n {
		series := chart.Series{Key: fmt.Sprintf("Region %d", i+1), Values: make(chart.Values, length)}
		series.Label = series.Key
		for y := range length {
			series.Values[y] = round(50 + 40*noise(i, 0) + 12*math.Sin(float64(y)/4+6*noise(i, 1)) + 3*noise(i, y+2))
		}
		s.Spec.Series = append(s.Spec.Series, series)
	}
	return nil
}

// allOutlines makes up a share for every outline of the set.
func (s *Case) allOutlines() error {
	series := chart.Series{Key: "value", Label: "value"}
	for i, id := range s.Spec.Set().IDs() {
		area, ok := geo.Find(id)
		if !ok {
			area = geo.Area{Name: id}
		}
		s.Spec.Categories = append(s.Spec.Categories, chart.Category{Label: area.Name, Area: id})
		series.Values = append(series.Values, round(20+75*noise(i, 7)))
	}
	s.Spec.Series = []chart.Series{series}
	return nil
}

// world makes up a value for every ISO country: a share, an amount of up to seven digits,
// or growth above and below zero.
func (s *Case) world(shape string) error {
	series := chart.Series{Key: "value", Label: "value"}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			area, ok := geo.Find(string(a) + string(b))
			if !ok || area.Kind != geo.Country || slices.ContainsFunc(s.Spec.Categories, func(c chart.Category) bool { return c.Area == area.ID }) {
				continue
			}
			x := noise(int(a), int(b))
			switch shape {
			case "share":
				x = 20 + 75*x
			case "amounts":
				x = math.Pow(10, 2+5*x)
			case "growth":
				x = -4 + 11*x
			default:
				return fmt.Errorf("unknown distribution %q; it must be share, amounts or growth", shape)
			}
			s.Spec.Categories = append(s.Spec.Categories, chart.Category{Label: area.Name, Area: area.ID})
			series.Values = append(series.Values, round(x))
		}
	}
	s.Spec.Series = []chart.Series{series}
	return nil
}

// noise returns a number from 0 to 1 that looks random.
func noise(i, j int) float64 {
	x := math.Sin(float64(i)*12.9898+float64(j)*78.233) * 43758.5453
	return x - math.Floor(x)
}

func round(x float64) float64 { return math.Round(x*10) / 10 }
