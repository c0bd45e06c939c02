package office

import (
	"regexp"
	"slices"
	"strings"
)

// The Bureau of Labor Statistics has surveys of the nation, and others of which the code
// of a series tells the area: at the fifth to eighth letter in consumer prices.
var (
	nationalSurvey = regexp.MustCompile(`^(LN|CE|WP|PC|PR|EI)[A-Z]`)
	nationalSeries = regexp.MustCompile(`^(C[UW]|SU)[SU][A-Z]0000`)
)

// isNational reports whether all series of the Bureau of Labor Statistics are of the
// United States.
func (p Page) isNational() bool {
	headings := p.headings("series_id", "footnote_codes")
	return p.allBelow(headings, headings[0], func(id string) bool {
		return nationalSurvey.MatchString(id) || p.IsWhole && nationalSeries.MatchString(id)
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

// keyInHeading matches the key of a series at the end of a heading.
var keyInHeading = regexp.MustCompile(`\(([A-Z0-9]+(?:\.[A-Za-z0-9_]+)+)\)$`)

// isEuroArea reports whether the headings of a table of the ECB's data portal end with the
// keys of series of the euro area.
func (p Page) isEuroArea() bool {
	for _, heading := range p.headings("DATE", "TIME PERIOD") {
		if strings.EqualFold(heading, "DATE") || strings.EqualFold(heading, "TIME PERIOD") || heading == "" {
			continue
		}
		m := keyInHeading.FindStringSubmatch(heading)
		if m == nil || !isEuroKey(m[1]) {
			return false
		}
	}
	return true
}

// isEuroKey reports whether a key is of the euro short-term rate, of the euro's exchange
// rates, or has the code of the euro area in the place of the reference area.
func isEuroKey(key string) bool {
	parts := strings.Split(key, ".")
	switch {
	case len(parts) < 3:
		return false
	case parts[0] == "EST":
		return true
	case parts[0] == "EXR":
		return len(parts) > 3 && parts[3] == "EUR"
	}
	return parts[2] == "U2"
}

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

var sevenDigits = regexp.MustCompile(`^[0-9]{7}$`)

// isOfTERYT reports whether the column Kod has nothing but codes of Polish areas.
func (p Page) isOfTERYT() bool {
	return p.allBelow(p.headings("Kod", "Nazwa"), "Kod", sevenDigits.MatchString)
}

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
	rows := p.edges()
	isFrom := slices.ContainsFunc(rows, func(row []string) bool { return strings.Contains(firstCell(row), "wonder.cdc.gov") })
	isLimited := slices.ContainsFunc(rows, func(row []string) bool { return limitedArea.MatchString(firstCell(row)) })
	return p.IsWhole && isFrom && !isLimited
}
