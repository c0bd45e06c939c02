package sdmxjson

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Bounds of a message, against hostile ones. Each structure is a reading of
// the file.
const (
	maxStructures = 100
	maxDataSets   = 10_000
)

// message is everything but the observations.
type message struct {
	prepared   time.Time
	senders    []string // names of who sends it
	structures []structure
	sets       []*dataSet
}

// dataSet is what a message says of one of its data sets apart from the
// observations.
type dataSet struct {
	structure    int // among the message's structures
	links        []link
	attributes   []attribute
	groups       []group
	late         map[int][]attribute // of series, by their number, where they stand behind the observations
	observations int
	isPosition   []bool // by place in the arrays of observations: some hold a position there
	at           stat.Position
}

// group is a part of the observations with the attributes that they share.
type group struct {
	key        []int // by dimension of all levels; -1: any value
	attributes []attribute
	at         stat.Position
}

// attribute is a value as it stands in the data: a position in the list of its
// component, or the value itself.
type attribute struct {
	position int // -1: it is no whole number
	text     string
}

// survey is the first reading of a message.
type survey struct {
	*reader
	message
	set *dataSet // the open one
}

// readText reads the text of the message.
func readText(in format.Input, report *stat.Report, read func(r *reader) error) error {
	file, err := text.Open(in.Again, in.Encoding, report)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(&reader{Scanner: jsonscan.New(file)})
}

// readMessage reads everything but the observations, which it counts.
func readMessage(in format.Input, report *stat.Report) (*message, error) {
	var s survey
	err := readText(in, report, func(r *reader) error {
		s.reader = r
		r.elsewhere = map[[2]string]func() error{
			{"the message", "dataSets"}: s.readDataSets, {"data", "dataSets"}: s.readDataSets,
			{"an object of dataSets", "observations"}: s.count, {"an object of dataSets", "series"}: s.readAllSeries,
			{"an object of dataSets", "dimensionGroupAttributes"}: s.readGroups,
		}
		whole, err := r.node("the message")
		if err == nil {
			_, err = r.Next() // nothing may follow
		}
		if err == nil {
			err = s.take(whole)
		}
		return err
	})
	return &s.message, err
}

// take takes in what the message says apart from its data sets, and looks at it
// as a whole.
func (s *survey) take(whole *node) error {
	data := whole.field("data")
	for _, n := range []*node{whole, data} {
		if err := errors.Join(n.checkObject("the message"), n.field("header").checkObject("the header"), n.field("header").field("sender").checkObject("sender")); err != nil {
			return err
		}
	}
	for _, header := range []*node{whole.field("header"), whole.field("meta")} {
		if prepared := sdmx.ParseTime(header.field("prepared").String()); !prepared.IsZero() {
			s.prepared = prepared
		}
		sender := header.field("sender")
		s.senders = append(s.senders, sender.field("id").String(), sender.label())
	}
	isSingle := false
	var failures []string
	for _, n := range []*node{data, whole} {
		structures, err := n.field("structures").objects("structures")
		if err != nil {
			return err
		}
		if one := n.field("structure"); one != nil {
			isSingle = true
			structures = append(structures, one)
		}
		for _, n := range structures {
			if len(s.structures) == maxStructures {
				return stat.BadFile(n.at, "the message has more than %d structures: split it by dataset", maxStructures)
			}
			one, err := newStructure(n)
			if err != nil {
				return err
			}
			s.structures = append(s.structures, one)
		}
		all, err := n.field("errors").objects("errors")
		if err != nil {
			return err
		}
		for _, e := range all {
			title := cmp.Or(e.field("title").String(), e.field("message").String())
			failures = append(failures, strings.TrimSpace(title+" "+e.field("detail").String()))
		}
	}
	return s.check(isSingle, failures)
}

// check looks at the message as a whole.
func (s *survey) check(isSingle bool, failures []string) error {
	observations := 0
	for _, set := range s.sets {
		observations += set.observations
		if isSingle {
			set.structure = 0
		}
		if set.structure >= len(s.structures) && set.observations > 0 {
			return stat.BadFile(set.at, "the data set is of structure %d, and the message has %d (counted from 0)", set.structure, len(s.structures))
		}
	}
	switch {
	case observations > 0:
		return nil
	case len(failures) > 0:
		return stat.BadFile(stat.Position{Line: 1}, "the message is an error: %s", strings.Join(failures, "; "))
	}
	return stat.BadFile(stat.Position{Line: 1}, "the message has no observations")
}

func (s *survey) readDataSets() error {
	return s.array("dataSets", func(first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return s.bad("dataSets holds something that is no object")
		}
		if len(s.sets) == maxDataSets {
			return s.bad("the message has more than %d data sets: split it", maxDataSets)
		}
		s.set = &dataSet{late: map[int][]attribute{}}
		s.sets = append(s.sets, s.set)
		n, err := s.nodeFrom("dataSets", "an object of dataSets", first)
		if err != nil {
			return err
		}
		return s.set.take(n)
	})
}

// take takes in what a data set says apart from its observations and groups.
func (set *dataSet) take(n *node) (err error) {
	set.at = n.at
	if number := n.field("structure"); number != nil {
		var ok bool
		if set.structure, ok = position(number.text); !ok || number.kind != jsonscan.Number {
			return stat.BadFile(number.at, "structure is to be a whole number from 0")
		}
	}
	if action := n.field("action"); action != nil {
		switch strings.ToLower(action.String()) {
		case "", "information", "append", "replace", "merge", "i", "a", "r", "m":
		case "delete", "d":
			return stat.BadFile(action.at, "the data set is to be deleted (action %s), which an import of a whole dataset cannot do; remove it", action)
		default:
			return stat.BadFile(action.at, "%.40q is no action of a data set, which is Information, Append, Replace, Merge or Delete", action)
		}
	}
	if set.links, err = newLinks(n.field("links")); err != nil {
		return err
	}
	set.attributes, err = newAttributes(n.field("attributes"))
	return err
}

// newAttributes takes values as they stand in the data out of their node.
func newAttributes(n *node) (attributes []attribute, err error) {
	if n != nil && n.kind != jsonscan.Array {
		return nil, stat.BadFile(n.at, "attributes is to be an array in [ ]")
	}
	for i := 0; n != nil && i < len(n.values); i++ {
		a := attribute{position: -1, text: n.values[i].String()}
		if value := n.values[i]; value != nil && value.kind == jsonscan.Number {
			if at, ok := position(value.text); ok {
				a.position = at
			}
		}
		attributes = append(attributes, a)
	}
	return attributes, nil
}

// count counts observations.
func (s *survey) count() error {
	return s.object("observations", func([]byte) error {
		s.set.observations++
		return s.look()
	})
}

// readAllSeries counts the observations of series, and keeps the attributes of
// those where they stand behind the observations.
func (s *survey) readAllSeries() error {
	number := -1
	return s.object("series", func([]byte) error {
		number++
		isCounted := false
		return s.object("a series", s.once("a series", map[string]func() error{
			"observations": func() error {
				isCounted = true
				return s.count()
			},
			"attributes": func() error {
				if !isCounted {
					return s.Skip()
				}
				late, err := s.readAttributes()
				s.set.late[number] = late
				return err
			},
		}))
	})
}

// maxPositions is up to where look looks.
const maxPositions = 256

// look passes over an observation and remembers where it holds positions.
func (s *survey) look() error {
	set := s.set
	token, err := s.next()
	if err != nil {
		return err
	}
	if token.Kind != jsonscan.Array {
		return s.SkipRest(token)
	}
	n := 0
	return s.elements(func(first jsonscan.Token) error {
		if n == len(set.isPosition) && n < maxPositions {
			set.isPosition = append(set.isPosition, false)
		}
		if _, ok := position(first.Text); ok && n < maxPositions && first.Kind == jsonscan.Number {
			set.isPosition[n] = true
		}
		n++
		return s.SkipRest(first)
	})
}

// readAttributes reads values as they stand in the data.
func (r *reader) readAttributes() ([]attribute, error) {
	n, err := r.node("attributes")
	if err != nil {
		return nil, err
	}
	return newAttributes(n)
}

// readGroups reads the attributes of groups.
func (s *survey) readGroups() error {
	return s.object("dimensionGroupAttributes", func(name []byte) error {
		g := group{at: s.at}
		for part := range strings.SplitSeq(string(name), ":") {
			n, ok := position(part)
			if !ok && part != "" {
				return s.bad("%.40q is no name of a group: it is made of positions with colons between, empty where any value is meant", name)
			}
			if !ok {
				n = -1
			}
			g.key = append(g.key, n)
		}
		var err error
		g.attributes, err = s.readAttributes()
		s.set.groups = append(s.set.groups, g)
		return err
	})
}
