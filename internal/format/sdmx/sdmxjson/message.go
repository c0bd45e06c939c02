package sdmxjson

import (
	"cmp"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// Bounds of a message, against hostile ones. The file is read once for each
// structure.
const (
	maxStructures = 100
	maxDataSets   = 10_000
	maxPositions  = 256 // elements of an observation that are checked for positions
)

// message is everything but the observations.
type message struct {
	prepared   time.Time
	senders    []string // IDs and names of the sender
	structures []structure
}

// dataSet is one of the message's data sets without its observations.
type dataSet struct {
	at           stat.Position
	structure    int // among the message's structures
	links        []*node
	attributes   *node
	groups       []group
	observations int
	late         map[int]*node      // attributes of series, by their number, that follow the observations
	isPosition   [maxPositions]bool // by place in the arrays of observations: some have a position there
}

// group holds the attributes that a part of the observations shares.
type group struct {
	at         stat.Position
	key        []int // by dimension of all levels; -1: any value
	attributes *node
}

// survey is the first reading of a message.
type survey struct {
	reader
	message
	sets []*dataSet
	set  *dataSet // the one being read
	err  error    // the first error in nodes
}

// readMessage reads everything but the observations, which it only counts.
func readMessage(in format.Input, report *stat.Report) (*message, error) {
	var s survey
	var whole, data *node
	err := jsonscan.Read(in.Again, in.Encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) (err error) {
		s.Scanner = j
		whole, err = s.node("the message", first, readers{
			"dataSets": s.readDataSets,
			"data": func(value jsonscan.Token) (err error) {
				data, err = s.node("data", value, readers{"dataSets": s.readDataSets})
				return err
			},
		})
		return err
	})
	if err == nil {
		err = s.interpret(whole, data)
	}
	return &s.message, err
}

// fail keeps the first error of a node.
func (s *survey) fail(at stat.Position, text string, args ...any) {
	if s.err == nil {
		s.err = stat.BadFile(at, text, args...)
	}
}

func (s *survey) checkKind(what string, n *node, kind jsonscan.Kind) {
	if n != nil && s.err == nil {
		_, s.err = begins(n.Token, kind, what)
	}
}

// object returns a field that must be an object; nil if it is missing.
func (s *survey) object(n *node, name string) *node {
	s.checkKind(name, n.field(name), jsonscan.Object)
	return n.field(name)
}

// objects returns the elements of a field that must be an array of objects.
func (s *survey) objects(n *node, name string) []*node {
	if n = n.field(name); n == nil {
		return nil
	}
	s.checkKind(name, n, jsonscan.Array)
	for _, element := range n.values {
		if element.Kind != jsonscan.Object {
			s.fail(element.At, "every element of %s must be an object", name)
		}
	}
	return n.values
}

// number returns a field that must be a whole number; -1 if it is missing.
func (s *survey) number(n *node, name string) int {
	if n = n.field(name); n == nil {
		return -1
	}
	number := positionOf(n.Token)
	if number < 0 {
		s.fail(n.At, "%s must be a whole number from 0", name)
	}
	return number
}

// interpret reads everything but the data sets from nodes, and checks the message
// as a whole.
func (s *survey) interpret(whole, data *node) error {
	s.checkKind("the message", whole, jsonscan.Object)
	s.checkKind("data", data, jsonscan.Object)
	for _, name := range []string{"header", "meta"} {
		header := whole.field(name)
		if prepared := sdmx.ParseTime(header.fieldText("prepared")); !prepared.IsZero() {
			s.prepared = prepared
		}
		sender := header.field("sender")
		s.senders = append(s.senders, sender.fieldText("id"), sender.label())
	}
	isSingle := false
	var failures []string
	for _, n := range []*node{data, whole} {
		s.object(s.object(n, "header"), "sender")
		structures := s.objects(n, "structures")
		if one := s.object(n, "structure"); one != nil {
			isSingle = true
			structures = append(structures, one)
		}
		for _, n := range structures {
			if len(s.structures) == maxStructures {
				s.fail(n.At, "the message has more than %d structures: split it by dataset", maxStructures)
				break
			}
			s.structures = append(s.structures, s.newStructure(n))
		}
		for _, e := range s.objects(n, "errors") {
			title := cmp.Or(e.fieldText("title"), e.fieldText("message"))
			failures = append(failures, strings.TrimSpace(title+" "+e.fieldText("detail")))
		}
	}
	observations := 0
	for _, set := range s.sets {
		observations += set.observations
		if isSingle {
			set.structure = 0
		}
		switch {
		case set.structure < len(s.structures):
			of := &s.structures[set.structure]
			of.links = append(of.links, set.links...)
			if set.observations > 0 {
				of.sets = append(of.sets, set)
			}
		case set.observations > 0:
			s.fail(set.at, "the data set has structure %d, but the message has %d structures (counted from 0)", set.structure, len(s.structures))
		}
	}
	if observations == 0 && len(failures) > 0 {
		s.fail(stat.Position{Line: 1}, "the message is an error: %s", strings.Join(failures, "; "))
	}
	if observations == 0 {
		s.fail(stat.Position{Line: 1}, "the message has no observations")
	}
	return s.err
}

func (s *survey) readDataSets(value jsonscan.Token) error {
	return s.array("dataSets", value, func(first jsonscan.Token) error {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "every element of dataSets must be an object")
		}
		if len(s.sets) == maxDataSets {
			return stat.BadFile(first.At, "the message has more than %d data sets: split it", maxDataSets)
		}
		s.set = &dataSet{at: first.At, late: map[int]*node{}}
		s.sets = append(s.sets, s.set)
		n, err := s.node("a data set", first, readers{
			"observations": s.countObservations, "series": s.readAllSeries, "dimensionGroupAttributes": s.readGroups,
		})
		if err != nil {
			return err
		}
		s.set.structure = max(s.number(n, "structure"), 0)
		action := n.field("action")
		switch strings.ToLower(action.String()) {
		case "", "information", "append", "replace", "merge", "i", "a", "r", "m":
		case "delete", "d":
			s.fail(action.At, "the data set is to be deleted (action %s), but an import replaces the whole dataset; remove it", action)
		default:
			s.fail(action.At, "the action of a data set must be Information, Append, Replace, Merge or Delete, not %.40q", action)
		}
		s.set.links, s.set.attributes = s.objects(n, "links"), n.field("attributes")
		s.checkKind("attributes", s.set.attributes, jsonscan.Array)
		return s.err
	})
}

// attributes reads the values of attributes in the data. Each is a position in the
// list of its component, or the value itself.
func (r *reader) attributes(value jsonscan.Token) (*node, error) {
	if _, err := begins(value, jsonscan.Array, "attributes"); err != nil {
		return nil, err
	}
	return r.node("attributes", value, nil)
}

// countObservations counts observations, and records where they have positions.
func (s *survey) countObservations(value jsonscan.Token) error {
	return s.entries("observations", value, func(_, value jsonscan.Token) error {
		s.set.observations++
		if value.Kind != jsonscan.Array {
			return s.SkipRest(value)
		}
		n := 0
		return s.Array(func(value jsonscan.Token) error {
			if n < maxPositions && positionOf(value) >= 0 {
				s.set.isPosition[n] = true
			}
			n++
			return s.SkipRest(value)
		})
	})
}

// readAllSeries counts the observations of the series, and keeps the attributes of
// a series that follow its observations.
func (s *survey) readAllSeries(value jsonscan.Token) error {
	number := -1
	return s.entries("series", value, func(_, value jsonscan.Token) error {
		number++
		isCounted := false
		return s.series(value, func(name string, value jsonscan.Token) (err error) {
			switch {
			case name == "observations":
				isCounted = true
				return s.countObservations(value)
			case name == "attributes" && isCounted:
				s.set.late[number], err = s.attributes(value)
				return err
			}
			return s.SkipRest(value)
		})
	})
}

func (r *reader) series(first jsonscan.Token, field func(name string, value jsonscan.Token) error) error {
	if ok, err := begins(first, jsonscan.Object, "a series"); !ok {
		return err
	}
	return r.Object(field)
}

func (s *survey) readGroups(value jsonscan.Token) error {
	return s.entries("dimensionGroupAttributes", value, func(name, value jsonscan.Token) (err error) {
		g := group{at: name.At}
		for part := range strings.SplitSeq(string(name.Text), ":") {
			n := position(part)
			if n < 0 && part != "" {
				return stat.BadFile(name.At, "invalid name of a group %.40q: it must be positions joined by colons, empty for any value", name.Text)
			}
			g.key = append(g.key, n)
		}
		g.attributes, err = s.attributes(value)
		s.set.groups = append(s.set.groups, g)
		return err
	})
}
