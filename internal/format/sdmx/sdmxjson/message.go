package sdmxjson

import (
	"context"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
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
	prepared           time.Time
	senderID, sendName string
	structures         []structure
	sets               []*dataSet
	errors             []string
}

// dataSet is what a message says of one of its data sets apart from the
// observations.
type dataSet struct {
	structure    int // among the message's structures
	action       string
	links        []link
	attributes   []attribute
	groups       []group
	late         map[int][]attribute // of series, by their number, where they stand behind the observations
	observations int
	positions    []bool // by place in the arrays of observations: some hold a position there
	at           stat.Position
}

// group is a part of the observations with the attributes that they share.
type group struct {
	key        []int32 // by dimension of all levels; -1: any value
	attributes []attribute
	at         stat.Position
}

// attribute is a value as it stands in the data: a position in the list of its
// component, or the value itself.
type attribute struct {
	position int // -1: it is no whole number
	text     string
}

// scan is the first reading of a message.
type scan struct {
	*reader
	message
	ctx    context.Context
	single bool // there is one structure, for all data sets
}

// readMessage reads everything but the observations, which it counts.
func readMessage(ctx context.Context, in format.Input, report *stat.Report) (*message, error) {
	r, text, err := open(in, report)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	s := scan{reader: r, ctx: ctx}
	if err := s.all(); err != nil {
		return nil, err
	}
	return &s.message, s.check()
}

// all reads the text to its end.
func (s *scan) all() error {
	data := map[string]func() error{
		"structure": func() error {
			s.single = true
			s.structures = append(s.structures, structure{})
			return s.fields("structure", s.structureFields(&s.structures[len(s.structures)-1]))
		},
		"structures": s.readStructures,
		"dataSets":   s.readDataSets,
		"errors":     s.readErrors,
	}
	whole := map[string]func() error{
		"header": s.readHeader,
		"meta":   s.readHeader,
		"data":   func() error { return s.fields("data", data) },
	}
	for name, read := range data {
		whole[name] = read
	}
	if err := s.fields("the message", whole); err != nil {
		return err
	}
	_, err := s.Next() // nothing may follow
	return err
}

func (s *scan) readHeader() error {
	var prepared, names string
	err := s.fields("the header", map[string]func() error{
		"prepared": s.text(&prepared),
		"sender": func() error {
			return s.fields("sender", map[string]func() error{
				"id": s.text(&s.senderID), "name": s.either(&s.sendName, &names), "names": s.prefer(&s.sendName, &names),
			})
		},
	})
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(form, prepared); err == nil {
			s.prepared = t
			break
		}
	}
	return err
}

func (s *scan) readStructures() error {
	return s.objects("structures", func() (map[string]func() error, func() error) {
		one := structure{at: s.at}
		return s.structureFields(&one), func() error {
			if len(s.structures) == maxStructures {
				return s.bad("the message has more than %d structures: split it by dataset", maxStructures)
			}
			s.structures = append(s.structures, one)
			return nil
		}
	})
}

func (s *scan) readErrors() error {
	return s.objects("errors", func() (map[string]func() error, func() error) {
		var title, detail string
		return map[string]func() error{"title": s.text(&title), "message": s.text(&title), "detail": s.text(&detail)}, func() error {
			s.errors = append(s.errors, strings.TrimSpace(title+" "+detail))
			return nil
		}
	})
}

func (s *scan) readDataSets() error {
	return s.objects("dataSets", func() (map[string]func() error, func() error) {
		set := &dataSet{at: s.at, late: map[int][]attribute{}}
		count := func() error {
			return s.object("observations", func([]byte) error {
				set.observations++
				if set.observations%checkEvery == 0 && s.ctx.Err() != nil {
					return s.ctx.Err()
				}
				return s.look(set)
			})
		}
		series := 0
		return map[string]func() error{
				"structure": s.number("structure", &set.structure),
				"action":    s.readAction(&set.action),
				"links":     func() error { return s.links(&set.links) },
				"attributes": func() error {
					var err error
					set.attributes, err = s.readAttributes()
					return err
				},
				"dimensionGroupAttributes": func() error { return s.readGroups(&set.groups) },
				"observations":             count,
				"series": func() error {
					return s.object("series", func([]byte) error {
						series++
						return s.oneSeries(count, func(late []attribute) { set.late[series-1] = late })
					})
				},
			}, func() error {
				if len(s.sets) == maxDataSets {
					return s.bad("the message has more than %d data sets: split it", maxDataSets)
				}
				s.sets = append(s.sets, set)
				return nil
			}
	})
}

// look passes over an observation and remembers where it holds positions.
func (s *scan) look(set *dataSet) error {
	token, err := s.next()
	if err != nil {
		return err
	}
	if token.Kind != jsonscan.Array {
		return s.SkipRest(token)
	}
	n := 0
	return s.elements(func(first jsonscan.Token) error {
		if n == len(set.positions) && n < maxPositions {
			set.positions = append(set.positions, false)
		}
		if _, ok := position(first.Text); ok && n < maxPositions && first.Kind == jsonscan.Number {
			set.positions[n] = true
		}
		n++
		return s.SkipRest(first)
	})
}

// maxPositions is up to where look looks.
const maxPositions = 256

// oneSeries counts the observations of a series and hands over the attributes
// that stand behind them.
func (s *scan) oneSeries(count func() error, late func([]attribute)) error {
	counted := false
	return s.fields("a series", map[string]func() error{
		"observations": func() error {
			counted = true
			return count()
		},
		"attributes": func() error {
			if !counted {
				return s.Skip()
			}
			attributes, err := s.readAttributes()
			late(attributes)
			return err
		},
	})
}

// readAction refuses what is no data to be stored.
func (s *scan) readAction(to *string) func() error {
	return func() error {
		if err := s.text(to)(); err != nil {
			return err
		}
		switch strings.ToLower(*to) {
		case "", "information", "append", "replace", "merge", "i", "a", "r", "m":
			return nil
		case "delete", "d":
			return s.bad("the data set is to be deleted (action %s), which an import of a whole dataset cannot do; remove it", *to)
		}
		return s.bad("%.40q is no action of a data set, which is Information, Append, Replace, Merge or Delete", *to)
	}
}

// readAttributes reads values as they stand in the data.
func (r *reader) readAttributes() ([]attribute, error) {
	var list []attribute
	err := r.array("attributes", func(first jsonscan.Token) error {
		a, err := r.readAttribute(first, true)
		list = append(list, a)
		return err
	})
	return list, err
}

// readAttribute reads the rest of a value that begins with a token; plain says
// that the text of a position is wanted too, because it may be the value.
func (r *reader) readAttribute(first jsonscan.Token, plain bool) (a attribute, err error) {
	a.position = -1
	if first.Kind == jsonscan.Number {
		if n, ok := position(first.Text); ok {
			a.position = n
			if !plain {
				return a, nil
			}
		}
	}
	a.text, err = r.rest(first)
	return a, err
}

func (r *reader) readGroups(to *[]group) error {
	return r.object("dimensionGroupAttributes", func(name []byte) error {
		g := group{at: r.at}
		for part := range strings.SplitSeq(string(name), ":") {
			n, ok := position([]byte(part))
			if !ok && part != "" {
				return r.bad("%.40q is no name of a group: it is made of positions with colons between, empty where any value is meant", name)
			}
			if !ok {
				n = -1
			}
			g.key = append(g.key, int32(n))
		}
		var err error
		g.attributes, err = r.readAttributes()
		*to = append(*to, g)
		return err
	})
}

// check looks at the message as a whole.
func (s *scan) check() error {
	observations := 0
	for _, set := range s.sets {
		observations += set.observations
		if s.single {
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
