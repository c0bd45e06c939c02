package office

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Page is what the rows of a plain table may tell about its publisher.
type Page struct {
	Name    string     // of the file
	Rows    [][]string // the first rows, and those below the table
	IsWhole bool       // there are no other rows
}

// signature is what only the files of one office have. All its parts that are not empty
// must fit.
type signature struct {
	office   string
	headings []string // a row has these cells, in any case
	rows     []string // rows begin with these cells, in any case and with any colon
	fits     func(Page) bool
	area     string // the heading of the codes of areas
	isNamed  bool   // tables of other countries may have it too
	mapping  string
	period   *regexp.Regexp // its first group is the period in the file's name or its first line
}

// Signatory is what the rows of a table tell about its publisher. The zero Signatory is not
// known.
type Signatory struct {
	ID      string
	Area    string // the heading of its codes of areas, if that does not say so
	IsNamed bool   // its country is the area only if no text names another one
	Mapping string // what its columns mean and their cells do not tell, as a caller would state it
	Period  string // of all values; empty: the rows say it
}

// signatures are strict: most national offices stand for the country of tables without
// areas, so tables that may be of parts of it, or of others, do not fit.
var signatures = []signature{
	// Full tables, with the identifiers of their series.
	{office: "statcan", headings: []string{"REF_DATE", "GEO", "VECTOR", "COORDINATE"}},
	// StatBank's CSV: time, and the column of values.
	{office: "dst", headings: []string{"TID", "INDHOLD"}},
	// Series of the database BDM, each with its idBank.
	{office: "insee", rows: []string{"idbank"}},
	// Time series with their four-character identifiers.
	{office: "ons", rows: []string{"cdid"}},
	// Time series workbooks: ten rows about each series.
	{office: "abs", rows: []string{"series type", "data type", "collection month"}},
	// Statistical tables: rows about each series.
	{office: "rba", rows: []string{"type", "publication date", "series id"}},
	// Series of the time series database, with identifiers such as BBK01.SU0112.
	{office: "bundesbank", fits: hasRowOf(bundesbankID)},
	// Tables of data.snb.ch: "CubeId";"devkum", "PublishingDate";"2019-09-02 14:30".
	{office: "snb", rows: []string{"cubeid", "publishingdate"}},
	// Flat files of download.bls.gov/pub/time.series.
	{office: "bls", headings: []string{"series_id", "year", "period", "value", "footnote_codes"}, fits: areNational("series_id")},
	// Its API, which marks the latest value of each series. Series of states and cities have no office's area.
	{office: "bls", headings: blsFields, mapping: blsMapping, fits: areNational("seriesID")},
	{headings: blsFields, mapping: blsMapping},
	// The data portal; only series of the euro area.
	{office: "ecb", headings: []string{"DATE", "TIME PERIOD"}, fits: Page.isEuroArea},
	// Webstat, with the source of each series in a row: the ECB's, or those of France.
	{office: "ecb", rows: []string{"code série", "magnitude", "méthode d'observation", "source"}, fits: Page.isFromECB},
	{office: "bdf", rows: []string{"code série", "magnitude", "méthode d'observation", "source"}, fits: Page.isFrench},
	{office: "ecb", rows: []string{"series code", "magnitude", "observation method", "source"}, fits: Page.isFromECB},
	{office: "bdf", rows: []string{"series code", "magnitude", "observation method", "source"}, fits: Page.isFrench},
	// The time series search site: codes such as IR01'MADR1M.
	{office: "bank-of-japan", headings: []string{"Series code"}, fits: hasRowOf(bankOfJapanCode)},
	// SGS: headings such as "24369 - Taxa de desocupação - PNADC - %", and the source below.
	{office: "bcb", rows: []string{"data", "fonte"}, mapping: `decimal=","`, fits: hasRowOf(sgsSeries)},
	{office: "bcb", rows: []string{"date", "source"}, fits: hasRowOf(sgsSeries)},
	{office: "bcb", mapping: "dates=day-first", fits: func(p Page) bool {
		return len(p.Rows) > 0 && (slices.Equal(p.Rows[0], []string{"data", "valor"}) || slices.Equal(p.Rows[0], []string{"data", "dataFim", "valor"}))
	}},
	// The API of SIDRA, whose rows name the level of their areas.
	{office: "ibge", headings: []string{"Nível Territorial", "Unidade de Medida", "Valor"}},
	// The service Tempus: T3_Escala says "Miles" if the values are thousands.
	{office: "ine", headings: []string{"Anyo", "T3_Periodo", "Valor"},
		mapping: "dim=COD?:Nombre?, unit=T3_Unidad?, note=T3_Escala?, period=Anyo+T3_Periodo, value=Valor, ignore=*"},
	// The interactive database, with codes of series such as IUDBEDR.
	{office: "boe", fits: firstRowIs("DATE", boeSeries)},
	{office: "boe", rows: []string{"series", "date"}, fits: hasRowOf(boeSeries)},
	// The Monthly Energy Review; MSN is the code of a series, which ends in US for those of the nation.
	{office: "eia", headings: []string{"MSN", "YYYYMM", "Column_Order"}, fits: below("MSN", `US$`)},
	// Databases of the whole nation, and those of provinces: those of cities have other names.
	{office: "nbs", fits: hasLine(`^数据库：(年度|季度|月度)数据$`)},
	{office: "nbs", headings: []string{"地区"}, fits: hasLine(`^数据库：分省(年度|季度|月度)数据$`), area: "地区"},
	{office: "nbs", rows: []string{"data sources:national bureau of statistics"}, fits: hasLine(`^Database:(Annual|Quarterly|Monthly)$`)},
	// Tables of the database of e-Stat.
	{office: "e-stat", fits: Page.isStatOfJapan},
	// The Local Data Bank: areas with their codes in TERYT, of seven digits.
	{office: "gus", headings: []string{"Kod", "Nazwa"}, fits: below("Kod", `^[0-9]{7}$`), area: "Kod"},
	// The consumer prices by region.
	{office: "indec", headings: []string{"Indice_IPC", "v_m_IPC", "v_i_a_IPC", "Region"}},
	// STADAT: the number of a table begins its title and is in its file's name.
	{office: "ksh", fits: Page.isSTADAT},
	// Regional data: areas with their FIPS codes, of five digits.
	{office: "bea", headings: []string{"GeoFips", "GeoName"}, rows: []string{"bureau of economic analysis"}, area: "GeoFips"},
	// Interactive tables: a title line of their own.
	{office: "bea", rows: []string{"bureau of economic analysis"}},
	// Infoshare: lines below each table.
	{office: "stats-nz", rows: []string{"source: statistics new zealand", "contact: information centre"}},
	// The Data Download Program: rows about each series.
	{office: "frb", rows: []string{"series description", "multiplier", "currency", "unique identifier", "time period"}},
	// The American Community Survey, with its year or last year in the file's name. Its areas are
	// known by their names, so no office is set.
	{headings: []string{"GEO_ID", "NAME"}, period: regexp.MustCompile(`^ACS[A-Z]{2}[135]Y(20[0-9]{2})\.`)},
	// World market prices, which describe no area.
	{office: "worldbank", rows: []string{"world bank commodity price data (the pink sheet)"}},
	// StatLine's data in rows: periods such as 2020JJ00 and 2020KW01.
	{office: "cbs", headings: []string{"ID", "Perioden"}, fits: below("Perioden", statLinePeriod)},
	{office: "cbs", headings: []string{"ID", "Periods"}, fits: below("Periods", statLinePeriod)},
	// CDC WONDER: the notes below the table quote the query.
	{office: "cdc", rows: []string{"query parameters"}, fits: Page.isWholeUS},
	// INEbase: the last columns of each table, with periods such as 2023M12.
	{office: "ine", headings: []string{"Periodo", "Total"}, mapping: `decimal=","`, fits: Page.isINEbase},
	// Subnational data, with codes such as DEUr101.
	{office: "gdl", headings: []string{"ISO_Code", "Level", "GDLCODE"}},
	// Series of FRED, which are of many countries.
	{office: "fred", fits: firstRowIs("observation_date", fredSeries)},
	// Its API: realtime_start and realtime_end are the days on which the values were the newest.
	{office: "fred", headings: []string{"realtime_start", "realtime_end", "date", "value"}, mapping: "period=date, value=value, ignore=*", fits: Page.hasOneVintage},
}

// The fields of the API of the Bureau of Labor Statistics.
var blsFields = []string{"seriesID", "year", "period", "periodName", "value"}

const blsMapping = "dim=seriesID:catalog.series_title?, period=year+period, value=value, flags=footnotes.code?, note=footnotes.text?, missing=-, ignore=*, decimal=."

var (
	bundesbankID    = regexp.MustCompile(`^BB[A-Z0-9]{2,3}\.[A-Z0-9_.]+$`)
	bankOfJapanCode = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}'[A-Z0-9@_]+$`)
	sgsSeries       = regexp.MustCompile(`^[0-9]{1,6} - .+ - .+$`)
	boeSeries       = regexp.MustCompile(`^[A-Z]{2}[DWMQA][A-Z0-9]{3,5}$`)
	fredSeries      = regexp.MustCompile(`^[A-Z0-9_]+$`)
)

// Sign returns the publisher of a table by its rows.
func Sign(p Page) Signatory {
	for _, s := range slices.Concat(signatures, headings, apis) {
		if !p.hasHeadings(s.headings) || !p.hasRows(s.rows) || s.fits != nil && !s.fits(p) {
			continue
		}
		found := Signatory{ID: s.office, Area: s.area, IsNamed: s.isNamed, Mapping: s.mapping}
		if s.period == nil {
			return found
		}
		for _, text := range []string{p.Name, p.firstLine()} {
			if m := s.period.FindStringSubmatch(text); m != nil {
				found.Period = dayOf(m[1])
				return found
			}
		}
	}
	for _, row := range p.edges() { // © Statistisches Bundesamt (Destatis), 2020
		owner, ok := strings.CutPrefix(firstCell(row), "©")
		if !ok {
			continue
		}
		found, isWhole := FindFirst(strings.TrimRight(owner, " 0123456789")) // ©IMF, 2024
		if !isWhole {
			found, _ = FindIn(owner)
		}
		if IsListed(found) {
			return Signatory{ID: found.ID}
		}
	}
	return Signatory{}
}

// hasLine returns a check that the first cell of a row near the beginning matches.
func hasLine(pattern string) func(Page) bool {
	line := regexp.MustCompile(pattern)
	return func(p Page) bool {
		return slices.ContainsFunc(p.Rows[:min(len(p.Rows), headRows)], func(row []string) bool { return line.MatchString(firstCell(row)) })
	}
}

// below returns a check that all cells in a column match.
func below(heading, pattern string) func(Page) bool {
	cell := regexp.MustCompile(pattern)
	return func(p Page) bool { return p.allBelow(p.headings(heading), heading, cell.MatchString) }
}

// hasHeadings reports whether one row has all of some cells.
func (p Page) hasHeadings(names []string) bool {
	return len(names) == 0 || p.headings(names...) != nil
}

// headings returns the first row that has all of some cells; nil if there is none.
func (p Page) headings(names ...string) []string {
	for _, row := range p.Rows[:min(len(p.Rows), headRows)] {
		has := func(name string) bool {
			return slices.ContainsFunc(row, func(cell string) bool { return strings.EqualFold(cell, name) })
		}
		if !slices.ContainsFunc(names, func(name string) bool { return !has(name) }) {
			return row
		}
	}
	return nil
}

func (p Page) hasRows(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return p.row(name) == nil })
}

// row returns the row that begins with a name; nil if there is none.
func (p Page) row(name string) []string {
	for _, row := range p.edges() {
		if foldName(firstCell(row)) == name {
			return row
		}
	}
	return nil
}

const (
	headRows = 100 // rows at the beginning that may be title lines or headings
	footRows = 100 // rows at the end that may be notes
)

// edges returns the first rows, and the last if they are known.
func (p Page) edges() [][]string {
	if !p.IsWhole || len(p.Rows) <= headRows+footRows {
		return p.Rows[:min(len(p.Rows), headRows+footRows)]
	}
	return slices.Concat(p.Rows[:headRows], p.Rows[len(p.Rows)-footRows:])
}

// dayOf returns a day as periods are written, and another period unchanged.
func dayOf(period string) string {
	for _, layout := range []string{"02 Jan 2006", "02.01.2006"} {
		if day, err := time.Parse(layout, period); err == nil {
			return day.Format("02/01/2006")
		}
	}
	return period
}

func (p Page) firstLine() string {
	if len(p.Rows) == 0 {
		return ""
	}
	return firstCell(p.Rows[0])
}

func firstCell(row []string) string {
	if len(row) == 0 {
		return ""
	}
	return row[0]
}

func foldName(cell string) string { return strings.TrimRight(strings.ToLower(cell), " :") }

// hasRowOf returns a check that a row has, after its first cell, nothing but cells that match.
func hasRowOf(pattern *regexp.Regexp) func(Page) bool {
	return func(p Page) bool {
		return slices.ContainsFunc(p.Rows[:min(len(p.Rows), headRows)], func(row []string) bool { return restMatches(row, pattern) })
	}
}

// firstRowIs returns a check that the first row is a name and cells that match.
func firstRowIs(name string, pattern *regexp.Regexp) func(Page) bool {
	return func(p Page) bool {
		return p.firstLine() == name && restMatches(p.Rows[0], pattern)
	}
}

// restMatches reports whether the filled cells after the first match, of which there are
// some.
func restMatches(row []string, pattern *regexp.Regexp) bool {
	filled := 0
	for _, cell := range row[min(1, len(row)):] {
		if cell == "" {
			continue
		}
		if !pattern.MatchString(cell) {
			return false
		}
		filled++
	}
	return filled > 0
}
