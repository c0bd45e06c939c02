package office

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// clue is a form of file of one office that readers do not tell: a name of a file that only its
// downloads have, or names of columns. All parts that are not empty must fit.
type clue struct {
	office  string
	file    *regexp.Regexp // the code of the dataset, which is the file's name in lower case
	columns []string       // dimensions have these IDs, or codes with these IDs
	areas   []string       // codes of areas
}

var clues = []clue{
	{office: "ksh", file: regexp.MustCompile(`^stadat-[a-z]{3}\d{4}-\d`)},
	{office: "inegi", file: regexp.MustCompile(`^inegi_exporta`)},
	{office: "nchs", file: regexp.MustCompile(`^nchs_-_`)},
	{office: "census", file: regexp.MustCompile(`^(nst|co|sub|cc|sc|sub-ip|cbsa|csa|prc)-est20\d\d`)},
	{office: "census", file: regexp.MustCompile(`^acs(st|dt|dp|sp)[135]y20\d\d\.`)},
	{office: "census", columns: []string{"POPESTIMATE", "NPOPCHG"}},
	{office: "bls", file: regexp.MustCompile(`^(cu|cw|su|la|ln|ce|sm|jt|pc|wp|ap|oe|en|is|ec|ei|pr|mp|tu)\.data\.\d`)},
	{office: "bea", file: regexp.MustCompile(`^gdplev`)},
	{office: "undp", file: regexp.MustCompile(`^hdr\d\d([-_]\d\d)?_`)},
	{office: "undp", file: regexp.MustCompile(`^20\d\d_statistical_annex`)},
	{office: "undp", columns: []string{"hdi", "eys", "mys", "gnipc"}},
	{office: "maddison", file: regexp.MustCompile(`^mpd20\d\d`)},
	{office: "maddison", columns: []string{"gdppc", "pop"}, file: regexp.MustCompile(`maddison`)},
	{office: "pwt", file: regexp.MustCompile(`^pwt\d{2,4}`)},
	{office: "pwt", columns: []string{"rgdpe", "rgdpo"}},
	{office: "freedom-house", file: regexp.MustCompile(`_fiw_|^fiw_?\d`)},
	{office: "v-dem", columns: []string{"v2x_polyarchy"}},
	{office: "stat-ee", file: regexp.MustCompile(`^[a-z]{2}\d{2,4}[a-z]?$`), columns: []string{"Sugu"}},
	{office: "destatis", columns: []string{"DINSG"}},
	{office: "worldbank", columns: []string{"Country Code"}, areas: []string{"AFE", "AFW", "ECS", "WLD"}},
	{office: "fred", file: regexp.MustCompile(`^fredgraph`)},
	{office: "fred", file: regexp.MustCompile(`^(unrate|u6rate|civpart|emratio|payems|icsa|jtsjol|cpiaucsl|cpiaucns|cpilfesl|pcepi|pcepilfe|gdpc1|gdpdef|fedfunds|dff|effr|sofr|` +
		`dprime|tb3ms|gs(1|2|5|10)|dgs(1|2|5|10|30)|t10y2y|t10y3m|t10yie|mortgage30us|indpro|tcu|houst|csushp[in]sa|rsafs|umcsent|m[12]sl|walcl|gfdebtn|dcoil(wtico|brenteu)|dex[a-z]{4}|vixcls|usrec)$`)},
}

// sourceLine matches a line that names the source of a table, and addresses in remarks.
var (
	sourceLine = regexp.MustCompile(`(?im)^(?:data )?(?:source|fuente|quelle|fonte|forrás|źródło)s?:\s*(.+)$`)
	webAddress = regexp.MustCompile(`https?://[^\s)]+`)
)

// NameByClues returns the name of the office that a dataset without a source seems to be of: by
// the name of its file, its columns, or the only office that its description names. It is a
// name to be shown, and says nothing about areas and codes. It is empty if nobody is known.
func NameByClues(d *stat.Dataset) string {
	for _, c := range clues {
		if c.fits(d) {
			return Find(c.office).Name
		}
	}
	if m := sourceLine.FindStringSubmatch(d.Description); m != nil {
		if found, ok := FindIn(m[1]); ok {
			return found.Name
		}
	}
	name := ""
	for _, address := range webAddress.FindAllString(d.Description, -1) {
		found, ok := FindHost(address)
		if ok && name != "" && found.Name != name {
			return "" // of several offices
		}
		if ok {
			name = found.Name
		}
	}
	return name
}

func (c *clue) fits(d *stat.Dataset) bool {
	if c.file != nil && !c.file.MatchString(strings.ToLower(d.Code)) {
		return false
	}
	hasColumn := func(column string) bool {
		return slices.ContainsFunc(d.Axes(), func(axis *stat.Dimension) bool {
			return strings.EqualFold(axis.ID, column) || axis.Role != stat.RoleGeo && hasCode(axis, column)
		})
	}
	for _, column := range c.columns {
		if !hasColumn(column) {
			return false
		}
	}
	return !slices.ContainsFunc(c.areas, func(area string) bool { return !hasCode(&d.Geography, area) })
}

func hasCode(axis *stat.Dimension, id string) bool {
	return slices.ContainsFunc(axis.Codes, func(c stat.Code) bool { return c.ID == id })
}
