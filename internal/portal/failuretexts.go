package portal

import "regexp"

// knownFailures are the messages of the interface that readers of pages meet most, with the texts of the pages that say the same. The
// names of groups are those of the values of the texts.
var knownFailures = []struct {
	message *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`^there is no dataset (?P<dataset>\S+)$`), "error.dataset"},
	{regexp.MustCompile(`^dataset (?P<dataset>\S+) has no version "(?P<version>[^"]*)"; it has (?P<versions>.*)$`), "error.version"},
	{regexp.MustCompile(`^parameter period_from \((?P<from>.*)\) is after period_to \((?P<to>.*)\); give the earlier period first$`), "error.order"},
	{regexp.MustCompile(`^no dataset with these words passes the filters; fewer filters, or other words, may find one$`), "error.filters"},
}

// translated returns a message of the interface in the language of the page, if it is known and not English, which it is already.
func (p *page) translated(message string) (text string, isKnown bool) {
	if p.lang.Code == "en" {
		return message, false
	}
	for _, known := range knownFailures {
		found := known.message.FindStringSubmatch(message)
		if found == nil {
			continue
		}
		var values []any
		for i, name := range known.message.SubexpNames()[1:] {
			values = append(values, name, found[i+1])
		}
		return p.lang.text(known.text, values...), true
	}
	return message, false
}
