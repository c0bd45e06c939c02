package office

import (
	"time"
	_ "time/tzdata" // the offices' zones are needed on machines without zone files too
)

// zones are the zones in which offices write times that name none.
var zones = map[string]string{
	"scb": "Europe/Stockholm", "ssb": "Europe/Oslo", "dst": "Europe/Copenhagen", "statfin": "Europe/Helsinki",
	"statgl": "America/Nuuk", "bfs": "Europe/Zurich", "ine": "Europe/Madrid", "cso": "Europe/Dublin",
	"eurostat": "Europe/Luxembourg", "nordic": "Europe/Copenhagen",
}

// Zone is the zone of an office's times, UTC where none is known.
func Zone(source string) *time.Location {
	zone, err := time.LoadLocation(zones[source]) // "" is UTC
	if err != nil {
		return time.UTC
	}
	return zone
}
