package geo

import "testing"

// BenchmarkLoad measures the first look-up.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		t := readTables()
		readIndex(t)
	}
}

// BenchmarkMatch measures the country filter's look-up of codes that are known.
func BenchmarkMatch(b *testing.B) {
	for _, text := range []string{"DE", "deu", "276", "EU27_2020", "FRK21", "scb:01"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(Match(text)) == 0 {
					b.Fatal("no area for ", text)
				}
			}
		})
	}
}

// BenchmarkUnknown measures the look-up of a text that is no area, with similar names.
func BenchmarkUnknown(b *testing.B) {
	Lookup("Atlantis")
	Spellings("Atlantis")
	for b.Loop() {
		if len(Lookup("Atlantis")) > 0 || len(Spellings("Atlantis")) == 0 {
			b.Fatal("Atlantis is an area, or no name is similar")
		}
	}
}
