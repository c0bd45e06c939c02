package table

import (
	"strings"
	"testing"
	"time"
)

func TestUpdatedIn(t *testing.T) {
	for line, want := range map[string]string{
		"Last updated: November 14, 2019-- new statistics for 2018; revised statistics for 1969-2017.": "2019-11-14 00:00",
		"PublishingDate 2019-09-02 14:30":       "2019-09-02 14:30",
		"Updated on January 5, 2021":            "2021-01-05 00:00",
		"Last updated: 22 January 2025 10:45am": "2025-01-22 10:45",
		"Last Updated: 2012-01-06 8:06 PM CST":  "2012-01-06 00:00",
		"Last Updated: 2012-01-06 8:06 PM":      "2012-01-06 20:06",
		"Last updated 2012-01-06T08:06:30":      "2012-01-06 08:06",
		"Letzte Aktualisierung: 03.02.2020":     "2020-02-03 00:00",
		"Stand: 24.02.2020 / 00:00:36":          "",
		"Query Date: Jan 29, 2020 1:45:39 PM":   "",
		"Created 2020-01-29":                    "",
		"Next update: 2020-01-29":               "",
		"Last updated: 07/01/2020":              "",
		"Release date: December 2019":           "",
		"Data updated to 2020-01-29 are final":  "",
	} {
		got := ""
		if at := UpdatedIn(line, time.UTC); !at.IsZero() {
			got = at.Format("2006-01-02 15:04")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// A description keeps the first 4,000 bytes, and says where it is cut.
func TestAddLine(t *testing.T) {
	d := ""
	if !AddLine(&d, "Title") || !AddLine(&d, "Notes") || d != "Title\nNotes" {
		t.Errorf("the description is %q", d)
	}
	if AddLine(&d, strings.Repeat("ä", 3000)) || len(d) > maxDescription+4 || !strings.HasSuffix(d, "ä …") {
		t.Errorf("a long line leaves %d bytes, %q", len(d), d[len(d)-8:])
	}
	if before := d; AddLine(&d, "more") || d != before {
		t.Errorf("a line behind the end is added: %q", d[len(d)-8:])
	}
}
