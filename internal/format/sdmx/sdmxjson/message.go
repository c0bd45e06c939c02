package sdmxjson

import (
	"cmp"
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
	errors     []string
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
	isSingle bool // there is one structure, for all data sets
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
		if err := s.read(); err != nil {
			return err
		}
		_, err := r.Next() // nothing may follow
		return err
	})
	if err == nil {
		err = s.check()
	}
	return &s.message, err
}

func (s *survey) read() error {
	data := map[string]func() error{
		"structure":  s.readStructure,
		"structures": s.readStructures,
		"dataSets":   s.readDataSets,
		"errors":     s.readErrors,
	}
	whole := map[string]func() error{
		"header": s.readHeader,
		"meta":   s.readHeader,
		"data":   func() error { return s.object("data", s.once("data", data)) },
	}
	for name, read := range data {
		whole[name] = read
	}
	return s.object("the message", s.once("the message", whole))
}

func (s *survey) readHeader() error {
	header, err := s.node("the header")
	if err == nil {
		err = header.checkObject("the header")
	}
	sender := header.field("sender")
	if err == nil {
		err = sender.checkObject("sender")
	}
	s.prepared = sdmx.ParseTime(header.field("prepared").String())
	s.senders = []string{sender.field("id").String(), sender.label()}
	return err
}

func (s *survey) readStructure() error {
	n, err := s.node("structure")
	if err != nil {
		return err
	}
	one, err := newStructure(n)
	s.isSingle = true
	s.structures = append(s.structures, one)
	return err
}

func (s *survey) readStructures() error {
	return s.array("structures", func(first jsonscan.Token) error {
		if len(s.structures) == maxStructures {
			return s.bad("the message has more than %d structures: split it by dataset", maxStructures)
		}
		if first.Kind != jsonscan.Object {
			return s.bad("structures holds something that is no object")
		}
		n, err := s.nodeFrom("structures", "an object of structures", first)
		if err != nil {
			return err
		}
		one, err := newStructure(n)
		s.structures = append(s.structures, one)
		return err
	})
}

func (s *survey) readErrors() error {
	n, err := s.node("errors")
	if err != nil {
		return err
	}
	all, err := n.objects("errors")
	for _, e := range all {
		title := cmp.Or(e.field("title").String(), e.field("message").String())
		s.errors = append(s.errors, strings.TrimSpace(title+" "+e.field("detail").String()))
	}
	return err
}

func (s *survey) readDataSets() error {
	return s.array("dataSets", func(first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return s.bad("dataSets holds something that is no object")
		}
		if len(s.sets) == maxDataSets {
			return s.bad("the message has more than %d data sets: split it", maxDataSets)
		}
		set := &dataSet{at: s.at, late: map[int][]attribute{}}
		s.sets = append(s.sets, set)
		return s.readDataSet(set)
	})
}

// readDataSet reads the rest of a data set.
func (s *survey) readDataSet(set *dataSet) error {
	count := func() error {
		return s.object("observations", func([]byte) error {
			set.observations++
			return s.look(set)
		})
	}
	return s.fields(s.once("an object of dataSets", map[string]func() error{
		"structure": func() error {
			token, err := s.next()
			if err != nil {
				return err
			}
			n, ok := position(token.Text)
			if token.Kind != jsonscan.Number || !ok {
				return s.bad("structure is to be a whole number from 0")
			}
			set.structure = n
			return nil
		},
		"action": s.checkAction,
		"links": func() error {
			n, err := s.node("links")
			if err == nil {
				set.links, err = newLinks(n)
			}
			return err
		},
		"attributes": func() (err error) {
			set.attributes, err = s.readAttributes()
			return err
		},
		"dimensionGroupAttributes": func() error { return s.readGroups(&set.groups) },
		"observations":             count,
		"series": func() error {
			number := -1
			return s.object("series", func([]byte) error {
				number++
				return s.readSeries(count, func(late []attribute) { set.late[number] = late })
			})
		},
	}))
}

// maxPositions is up to where look looks.
const maxPositions = 256

// look passes over an observation and remembers where it holds positions.
func (s *survey) look(set *dataSet) error {
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

// readSeries counts the observations of a series and hands over the attributes
// that stand behind them.
func (s *survey) readSeries(count func() error, late func([]attribute)) error {
	isCounted := false
	return s.object("a series", s.once("a series", map[string]func() error{
		"observations": func() error {
			isCounted = true
			return count()
		},
		"attributes": func() error {
			if !isCounted {
				return s.Skip()
			}
			attributes, err := s.readAttributes()
			late(attributes)
			return err
		},
	}))
}

// checkAction refuses what is no data to be stored.
func (s *survey) checkAction() error {
	n, err := s.node("action")
	if err != nil {
		return err
	}
	switch action := n.String(); strings.ToLower(action) {
	case "", "information", "append", "replace", "merge", "i", "a", "r", "m":
		return nil
	case "delete", "d":
		return s.bad("the data set is to be deleted (action %s), which an import of a whole dataset cannot do; remove it", action)
	default:
		return s.bad("%.40q is no action of a data set, which is Information, Append, Replace, Merge or Delete", action)
	}
}

// readAttributes reads values as they stand in the data.
func (r *reader) readAttributes() (attributes []attribute, err error) {
	err = r.array("attributes", func(first jsonscan.Token) error {
		a, err := r.readAttribute(first, true)
		attributes = append(attributes, a)
		return err
	})
	return attributes, err
}

// readAttribute reads the rest of a value that begins with a token; withText says
// that the text of a position is wanted too, because it may be the value.
func (r *reader) readAttribute(first jsonscan.Token, withText bool) (a attribute, err error) {
	a.position = -1
	if n, ok := position(first.Text); ok && first.Kind == jsonscan.Number {
		if a.position = n; !withText {
			return a, nil
		}
	}
	n, err := r.nodeFrom("attributes", "attributes", first)
	a.text = n.String()
	return a, err
}

func (r *reader) readGroups(to *[]group) error {
	return r.object("dimensionGroupAttributes", func(name []byte) error {
		g := group{at: r.at}
		for part := range strings.SplitSeq(string(name), ":") {
			n, ok := position(part)
			if !ok && part != "" {
				return r.bad("%.40q is no name of a group: it is made of positions with colons between, empty where any value is meant", name)
			}
			if !ok {
				n = -1
			}
			g.key = append(g.key, n)
		}
		var err error
		g.attributes, err = r.readAttributes()
		*to = append(*to, g)
		return err
	})
}

// check looks at the message as a whole.
func (s *survey) check() error {
	observations := 0
	for _, set := range s.sets {
		observations += set.observations
		if s.isSingle {
			set.structure = 0
		}
		if set.structure >= len(s.structures) && set.observations > 0 {
			return stat.BadFile(set.at, "the data set is of structure %d, and the message has %d (counted from 0)", set.structure, len(s.structures))
		}
	}
	switch {
	case observations == 0 && len(s.errors) > 0:
		return stat.BadFile(stat.Position{Line: 1}, "the message is an error: %s", strings.Join(s.errors, "; "))
	case observations == 0:
		return stat.BadFile(stat.Position{Line: 1}, "the message has no observations")
	}
	return nil
}
