package office

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// The Bureau of Labor Statistics has surveys of the nation, and others of which the code
// of a series tells the area: at the fifth to eighth letter in consumer prices, at the tenth
// and next of job openings.
var (
	nationalSurvey = regexp.MustCompile(`^(LN|CE|WP|PC|PR|EI)[A-Z]`)
	nationalSeries = regexp.MustCompile(`^((C[UW]|SU)[SU][A-Z]0000|JT[SU][0-9]{6}00)`)
)

// areNational returns a condition: all series of the Bureau of Labor Statistics, whose
// identifiers are below a heading, are of the United States.
func areNational(heading string) func(Page) bool {
	return func(p Page) bool {
		return p.allBelow(p.headings(heading), heading, func(id string) bool {
			return nationalSurvey.MatchString(id) || p.IsWhole && nationalSeries.MatchString(id)
		})
	}
}

// hasOneVintage reports whether all values were the newest at the same time.
func (p Page) hasOneVintage() bool {
	first := ""
	return p.allBelow(p.headings("realtime_start"), "realtime_start", func(day string) bool {
		first = cmp.Or(first, day)
		return day == first
	})
}

// allBelow reports whether the filled cells below a heading fulfil a condition.
func (p Page) allBelow(headings []string, name string, fits func(string) bool) bool {
	at, below := slices.Index(headings, name), 0
	for _, row := range p.Rows {
		if at >= len(row) || row[at] == "" || row[at] == name {
			continue
		}
		if !fits(row[at]) {
			return false
		}
		below++
	}
	return below > 0
}

// titleWithKey matches the title of a series with its key: "HICP - Germany (ICP.M.DE.N.000000.4.ANR)".
var titleWithKey = regexp.MustCompile(`^(.*?) ?\(([A-Z0-9]+(?:\.[A-Za-z0-9_]+)+)\)$`)

// Series is a series of the ECB.
type Series struct {
	Title string
	Area  string // the reference area
	Key   string // without the area: "ICP.M..N.000000.4.ANR"
}

// PortalSeries returns the series that a table of the ECB's data portal has beside DATE
// and TIME PERIOD; nil for another table.
func PortalSeries(headings []string) (all []Series) {
	if len(headings) < 3 || !strings.EqualFold(headings[0], "DATE") || !strings.EqualFold(headings[1], "TIME PERIOD") {
		return nil
	}
	for _, heading := range headings[2:] {
		m := titleWithKey.FindStringSubmatch(heading)
		if m == nil {
			return nil
		}
		area, key := referenceArea(m[2])
		if area == "" {
			return nil
		}
		all = append(all, Series{Title: m[1], Area: area, Key: key})
	}
	return all
}

// euroArea is the code of the euro area.
const euroArea = "U2"

// isEuroArea reports whether a table of the ECB's data portal has only series of the euro
// area.
func (p Page) isEuroArea() bool {
	all := PortalSeries(p.headings("DATE", "TIME PERIOD"))
	return len(all) > 0 && !slices.ContainsFunc(all, func(s Series) bool { return s.Area != euroArea })
}

// referenceArea returns the reference area of a key, which follows the dataflow, the
// frequency and, if there is one, the letter of the adjustment, and the key without it.
// The euro short-term rate and the euro's exchange rates are of the euro area.
func referenceArea(key string) (area, rest string) {
	parts := strings.Split(key, ".")
	isRate := parts[0] == "EST" || parts[0] == "EXR" && len(parts) > 3 && parts[3] == "EUR"
	at := 2
	if len(parts) > 3 && len(parts[2]) == 1 {
		at = 3
	}
	switch {
	case isRate:
		return euroArea, key
	case len(parts) <= at || len(parts[at]) != 2:
		return "", key
	}
	area, parts[at] = parts[at], ""
	return area, strings.Join(parts, ".")
}

// ReferenceArea returns the reference area of a key of the ECB; empty if it has none.
func ReferenceArea(key string) string {
	area, _ := referenceArea(key)
	return area
}

func isEuroKey(key string) bool { return ReferenceArea(key) == euroArea }

// keys returns the codes of the series of a table of Webstat.
func (p Page) keys() []string {
	for _, name := range []string{"code série", "series code"} {
		if row := p.row(name); len(row) > 1 {
			return row[1:]
		}
	}
	return nil
}

// areKeys reports whether all keys fulfil a condition, and there are some.
func areKeys(keys []string, fits func(string) bool) bool {
	return len(keys) > 0 && !slices.ContainsFunc(keys, func(key string) bool { return key != "" && !fits(key) })
}

// isFromECB reports whether all series of a table of Webstat are the ECB's (4F0), of the
// euro area.
func (p Page) isFromECB() bool {
	source := p.row("source")
	isOther := func(cell string) bool { return cell != "" && !strings.HasSuffix(cell, "(4F0)") }
	return len(source) > 1 && !slices.ContainsFunc(source[1:], isOther) && areKeys(p.keys(), isEuroKey)
}

// isFrench reports whether all keys of a table of Webstat have France in the place of the
// reference area.
func (p Page) isFrench() bool {
	return areKeys(p.keys(), func(key string) bool {
		parts := strings.Split(key, ".")
		return len(parts) > 3 && parts[2] == "FR"
	})
}

var (
	japanTime  = regexp.MustCompile(`^時間軸[（(].+[）)]( コード)?$`)
	japanPlace = regexp.MustCompile(`地域|都道府県|市区町村|市町村|都市|^国$|国名|国別|国・|輸出国|輸入国|相手国`)
)

// isStatOfJapan reports whether the headings are those of a table of e-Stat without areas.
func (p Page) isStatOfJapan() bool {
	for _, row := range p.Rows[:min(len(p.Rows), headRows)] {
		isTable := slices.Contains(row, "表章項目") || slices.Contains(row, "表章項目 コード") || slices.Contains(row, "tab_code")
		if isTable && slices.ContainsFunc(row, japanTime.MatchString) {
			return !slices.ContainsFunc(row, japanPlace.MatchString)
		}
	}
	return false
}

var inePeriod = regexp.MustCompile(`^[0-9]{4}(M[0-9]{2}|T[1-4])$`)

// isINEbase reports whether the last columns are those of INEbase, with its periods.
func (p Page) isINEbase() bool {
	headings := p.headings("Periodo", "Total")
	n := len(headings)
	return n > 2 && headings[n-2] == "Periodo" && headings[n-1] == "Total" && p.allBelow(headings, "Periodo", inePeriod.MatchString)
}

// statLinePeriod matches the periods of StatLine.
const statLinePeriod = `^[0-9]{4}(JJ|HJ|KW|MM|W1|X0|SJ|G4)[0-9]{2}$`

var (
	stadatFile  = regexp.MustCompile(`^stadat-[a-z]{3}[0-9]{4}-([0-9]+(?:\.[0-9]+)+)-(?:hu|en)\.`)
	stadatTitle = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)+)\. `)
	hungary     = regexp.MustCompile(`(?i)magyarország`)
	stadatPlace = regexp.MustCompile(`(?i)ország|világ|nemzetközi|európa|megye|megyé|régió|város|település|területi|countr|world|europ|region|county|counties|town|settlement`)
)

// isSTADAT reports whether the number of a table is in its title and in its file's name,
// and the title and the headings do not speak of areas.
func (p Page) isSTADAT() bool {
	file := stadatFile.FindStringSubmatch(p.Name)
	if file == nil || len(p.Rows) == 0 || len(p.Rows[0]) == 0 {
		return false
	}
	title := stadatTitle.FindStringSubmatch(p.Rows[0][0])
	for _, row := range p.Rows[:min(len(p.Rows), 3)] {
		if slices.ContainsFunc(row, func(cell string) bool { return stadatPlace.MatchString(hungary.ReplaceAllString(cell, "")) }) {
			return false
		}
	}
	return title != nil && title[1] == file[1]
}

// limitedArea matches the parameters of a query of CDC WONDER that limit it to a part of
// the United States.
var limitedArea = regexp.MustCompile(`(?i)^[^:]*(state|region|division|count(y|ies)|urbanization|residence|territor)[^:]*:`)

// isWholeUS reports whether the notes below a table quote a query to CDC WONDER for the
// whole country. "Group By: Census Division" does not limit it.
func (p Page) isWholeUS() bool {
	isLimited := slices.ContainsFunc(p.edges(), func(row []string) bool { return limitedArea.MatchString(firstCell(row)) })
	return p.IsWhole && p.isOfWonder() && !isLimited
}

// isOfWonder reports whether the notes have the address of CDC WONDER.
func (p Page) isOfWonder() bool {
	return slices.ContainsFunc(p.edges(), func(row []string) bool { return strings.Contains(firstCell(row), "wonder.cdc.gov") })
}
