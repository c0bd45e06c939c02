package bankxml

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

var england = bank{
	format: "boe-xml", source: "boe", root: "Envelope", marks: []string{"SCODE=", "OBS_VALUE="},
	open: func(s *series, _ string, a map[string]string) *observation {
		switch {
		case a["SCODE"] != "":
			*s = series{title: a["DESC"]}
			s.set(pair{"SCODE", "Series", a["SCODE"], a["DESC"]})
			if m := inUnit.FindStringSubmatch(a["DESC"]); m != nil {
				s.unit = m[1]
			}
		case a["FREQ_CODE"] != "":
			s.frequency = a["FREQ_CODE"]
			s.set(pair{"FREQ", "Frequency", a["FREQ_CODE"], a["FREQ_NAME"]})
		case a["TIME"] != "":
			return &observation{a["TIME"], a["OBS_VALUE"], a["OBS_CONF"], a["LAST_UPDATED"]}
		}
		return nil
	},
}

// inUnit matches the unit in the description of a series: "(in sterling millions)".
var inUnit = regexp.MustCompile(`\(in ([^()]+)\)`)

var ecb = bank{
	format: "ecb-rates-xml", source: "ecb", code: "eurofxref", name: "Euro foreign exchange reference rates",
	root: "Envelope", marks: []string{"eurofxref", "currency=", "rate="},
	open: func(s *series, _ string, a map[string]string) *observation {
		if a["time"] != "" {
			*s = series{time: a["time"]}
		}
		if a["currency"] == "" {
			return nil
		}
		s.unit = a["currency"] // a value is how much of it one euro buys
		s.set(pair{"CURRENCY", "Currency", a["currency"], ""})
		return &observation{time: s.time, value: a["rate"]}
	},
}

var oenb = bank{
	format: "oenb-xml", source: "oenb", root: "OeNBData", marks: []string{"<dataSet", "<obs"},
	open: func(s *series, element string, a map[string]string) *observation {
		switch element {
		case "dataSet":
			*s = series{title: a["posTitle"], frequency: a["freq"], unit: cmp.Or(a["unitText"], stat.UnitText("", a["unitMult"]))}
			s.set(pair{"POS", "Position", a["pos"], a["posTitle"]})
			for i := 1; a["attr"+strconv.Itoa(i)] != ""; i++ {
				name := cmp.Or(a["attr"+strconv.Itoa(i)+"Dim"], "ATTR"+strconv.Itoa(i))
				s.set(pair{strings.ToUpper(name), name, a["attr"+strconv.Itoa(i)], ""})
			}
			s.set(pair{"FREQ", "Frequency", a["freq"], ""})
		case "obs":
			return &observation{time: a["periode"], value: a["value"]}
		}
		return nil
	},
}
