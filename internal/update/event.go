package update

import (
	"strings"

	"almanac/internal/importer"
	"almanac/internal/watch"
)

// Stage is the progress of an item.
type Stage string

// The stages of an item.
const (
	Waiting   Stage = "waiting"
	Fetching  Stage = "fetching"
	Importing Stage = "importing"
	Finished  Stage = "finished"  // Event.Entry says how
	Postponed Stage = "postponed" // to a later round: its office is unavailable, another process works on it, or the round was stopped
)

// Event is a step of an item, or a finished entry about an office, a watch or a
// dataset that vanished.
type Event struct {
	Ref   string
	Stage Stage
	Bytes int64        // fetched so far
	Entry *watch.Entry // of a finished item

	Left int // unfinished items of this round
}

// Statuses of entries in addition to those of [importer.Outcome].
const (
	failed   = "failed"   // could not be fetched
	vanished = "vanished" // no longer listed by the office, or no longer in its file
)

// Summary counts the results of a round.
type Summary struct {
	Items       int `json:"items"` // that were due
	Created     int `json:"created"`
	Updated     int `json:"updated"`
	Unchanged   int `json:"unchanged"`
	Quarantined int `json:"quarantined"`
	Refused     int `json:"refused"`
	Failed      int `json:"failed"`    // could not be fetched; includes unusable lists of contents
	Postponed   int `json:"postponed"` // of an unavailable office, or locked by another process
}

func (s *Summary) add(status string) {
	counts := map[string]*int{
		string(importer.Created): &s.Created, string(importer.Updated): &s.Updated, string(importer.Unchanged): &s.Unchanged,
		string(importer.Quarantined): &s.Quarantined, string(importer.Refused): &s.Refused, failed: &s.Failed, string(Postponed): &s.Postponed,
	}
	*counts[status]++
}

// maxText is the maximum length of an error in bytes: enough for a sentence, too
// little for a page that a server sent instead.
const maxText = 1000

// short cuts a text that is too long, between two characters.
func short(text string) string {
	const more = "…"
	if len(text) <= maxText {
		return text
	}
	return strings.TrimRight(strings.ToValidUTF8(text[:maxText-len(more)], ""), " ") + more
}
