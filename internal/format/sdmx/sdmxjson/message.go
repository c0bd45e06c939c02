package sdmxjson

import (
	"cmp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// Bounds of a message, against hostile ones. The observations are read once for each
// structure.
const (
	maxStructures = 100
	maxDataSets   = 10_000
	maxPositions  = 256 // elements of an observation that are checked for positions
)

// message is everything but the observations.
type message struct {
	reader
	prepared   string
	senders    []string // ID and name of the sender
	structures []structure
	isSingle   bool // there is one structure, which data sets need not state
	sets       []*dataSet
	set        *dataSet // the one being read
	failures   []string // errors that the office's server reports
}

// dataSet is one of the message's data sets without its observations.
type dataSet struct {
	at           stat.Position
	structure    int // among the message's structures
	links        []map[string]string
	attributes   []attribute
	groups       []group
	observations int
	late         map[int][]attribute // those after the observations of a series, by its number
	isPosition   [maxPositions]bool  // by index: some observation has a position there
	series       int
	stated       [maxPositions]int // by index of an attribute: the series that state it
}

// group holds the attributes that a part of the observations shares.
type group struct {
	at         stat.Position
	key        string // positions by dimension of all levels; empty: any value
	attributes []attribute
}

// readMessage reads everything but the observations, which it only counts.
func readMessage(in format.Input, report *stat.Report) (*message, error) {
	var m message
	err := jsonscan.Read(in.Again, in.Encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		m.Scanner = j
		var id, name, names string
		sender := m.object("sender", fields{"id": &id, "name": m.text(&name), "names": m.text(&names)})
		header := func(first jsonscan.Token) error { // a field may be repeated
			return m.entries("the header", first, func(name, value jsonscan.Token) (err error) {
				switch string(name.Text) {
				case "prepared":
					m.prepared, err = m.readText(value)
				case "sender":
					err = sender(value)
				default:
					err = m.SkipRest(value)
				}
				return err
			})
		}
		parts := fields{
			"header": header, "meta": header,
			"structure": m.readOnlyStructure, "structures": m.objects("structures", m.readStructure),
			"dataSets": m.objects("dataSets", m.readDataSet), "errors": m.objects("errors", m.readFailure),
		}
		parts["data"] = m.object("data", parts)
		err := m.object("the message", parts)(first)
		m.senders = []string{id, cmp.Or(names, name)}
		return err
	})
	if err == nil {
		err = m.assignDataSets()
	}
	return &m, err
}

func (m *message) readFailure(first jsonscan.Token) error {
	texts, err := m.Texts(first)
	m.failures = append(m.failures, strings.TrimSpace(cmp.Or(texts["title"], texts["message"])+" "+texts["detail"]))
	return err
}

// assignDataSets adds the data sets with observations to their structures.
func (m *message) assignDataSets() error {
	observations := 0
	for _, set := range m.sets {
		observations += set.observations
		if m.isSingle {
			set.structure = 0
		}
		switch {
		case set.structure < len(m.structures):
			of := &m.structures[set.structure]
			of.links = append(of.links, set.links...)
			if set.observations > 0 {
				of.sets = append(of.sets, set)
			}
		case set.observations > 0:
			return stat.BadFile(set.at, "the data set has structure %d (counted from 0), but the message has %d structures", set.structure, len(m.structures))
		}
	}
	switch {
	case observations > 0:
		return nil
	case len(m.failures) > 0:
		return stat.BadFile(stat.Position{Line: 1}, "the message reports an error: %s", strings.Join(m.failures, "; "))
	}
	return stat.BadFile(stat.Position{Line: 1}, "the message has no observations")
}

func (m *message) readDataSet(first jsonscan.Token) error {
	if len(m.sets) == maxDataSets {
		return stat.BadFile(first.At, "the message has more than %d data sets: split it", maxDataSets)
	}
	m.set = &dataSet{at: first.At, late: map[int][]attribute{}}
	m.sets = append(m.sets, m.set)
	return m.Decode(first, fields{
		"structure": number("structure", &m.set.structure), "links": m.links(&m.set.links), "action": m.checkAction,
		"attributes": m.attributes(&m.set.attributes), "dimensionGroupAttributes": m.readGroups,
		"observations": m.countObservations, "series": m.readAllSeries,
	})
}

func (m *message) checkAction(first jsonscan.Token) error {
	action, err := m.readText(first)
	if err != nil {
		return err
	}
	switch strings.ToLower(action) {
	case "", "information", "append", "replace", "merge", "i", "a", "r", "m":
		return nil
	case "delete", "d":
		return stat.BadFile(first.At, "the data set is to be deleted (action %s), but an import replaces the whole dataset; remove it", action)
	}
	return stat.BadFile(first.At, "the action of a data set must be Information, Append, Replace, Merge or Delete, not %.40q", action)
}

// countObservations counts observations and records where they have positions.
func (m *message) countObservations(value jsonscan.Token) error {
	return m.entries("observations", value, func(_, value jsonscan.Token) error {
		m.set.observations++
		if value.Kind != jsonscan.Array {
			return m.SkipRest(value)
		}
		n := 0
		return m.Array(func(value jsonscan.Token) error {
			if n < maxPositions && positionOf(value) >= 0 {
				m.set.isPosition[n] = true
			}
			n++
			return m.SkipRest(value)
		})
	})
}

// readAllSeries counts the observations of the series. It keeps the attributes of a
// series that follow its observations.
func (m *message) readAllSeries(value jsonscan.Token) error {
	number, isCounted := -1, false
	series := m.object("a series", fields{
		"observations": func(value jsonscan.Token) error {
			isCounted = true
			return m.countObservations(value)
		},
		"attributes": func(value jsonscan.Token) error {
			var all []attribute
			err := m.attributes(&all)(value)
			for i, a := range all[:min(len(all), maxPositions)] {
				if a.isStated() {
					m.set.stated[i]++
				}
			}
			if isCounted {
				m.set.late[number] = all
			}
			return err
		},
	})
	return m.entries("series", value, func(_, value jsonscan.Token) error {
		number++
		m.set.series++
		isCounted = false
		return series(value)
	})
}

func (m *message) readGroups(value jsonscan.Token) error {
	return m.entries("dimensionGroupAttributes", value, func(name, value jsonscan.Token) error {
		g := group{at: name.At, key: string(name.Text)}
		err := m.attributes(&g.attributes)(value)
		m.set.groups = append(m.set.groups, g)
		return err
	})
}
