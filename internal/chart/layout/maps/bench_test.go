package maps

import (
	"testing"

	"almanac/internal/chart/atlas"
)

// BenchmarkMap measures the layout of a map of all countries at 1200 × 675 with a
// cached view. Placing numbers takes most of the time.
func BenchmarkMap(b *testing.B) {
	for _, region := range []atlas.Region{atlas.World, atlas.Europe, atlas.NorthAmerica} {
		for _, numbers := range []bool{false, true} {
			s := mapSpec(worldAreas(), func(i int) float64 { return float64((i*37)%211)/3 + .5 })
			s.Width, s.Height, s.Region, s.ShowValues = 1200, 675, region, numbers
			name := "region=" + string(region)
			if numbers {
				name += "/numbers"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					picture(s)
				}
			})
		}
	}
}

// BenchmarkCounties measures the layout of a map of all counties of the United States at
// 1200 × 675 with a cached view.
func BenchmarkCounties(b *testing.B) {
	counties := atlas.New().Named("us-counties")
	s := mapSpec(counties.IDs(), func(i int) float64 { return float64((i*37)%211)/3 + .5 })
	s.Width, s.Height, s.Outlines = 1200, 675, counties.Name()
	for b.Loop() {
		picture(s)
	}
}
