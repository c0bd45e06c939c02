package caption

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// A title of an office names a table: its number, all that the table is broken down by, how
// often it appears, and from when. A picture shows one part of the table and says in its
// subtitle which, so its title is what the table is about.

// tableTitle returns the title of a dataset without what belongs to its table, and what it has cut.
// follow is what was cut from the title without a choice of language; nil if there is none.
func (p *Picture) tableTitle(name string, follow *titleCut) (string, titleCut) {
	if m := fredTitle.FindStringSubmatch(name); m != nil && strings.EqualFold(p.Dataset.Source.ID, "fred") {
		return m[1], titleCut{}
	}
	title := itemNumber.ReplaceAllString(strings.TrimSpace(withoutNumber(p.Dataset, name)), "$1: ")
	if len(p.Dataset.Geography.Codes) > 1 {
		title = wholeAndParts.ReplaceAllString(title, "")
	}
	whole := title
	for before := ""; before != title; {
		before = title
		title = strings.TrimRight(p.withoutTail(title), " ,;:–-")
	}
	if !strings.HasSuffix(title, "..") {
		title = strings.TrimSuffix(title, ".")
	}
	title = follow.withoutTail(whole, title)
	tail := tailOf(whole, title)
	title = yearOf100.ReplaceAllString(hungarian.ReplaceAllString(title, ""), "$1, $2")
	title, list := p.withoutBreakdown(title, follow)
	cut := titleCut{tail, list}
	if !hasWord(title) {
		return name, cut
	}
	if known := abbreviations[strings.ToLower(title)]; known != "" && measureAbbreviations[strings.ToLower(title)] {
		return known, cut // "Gdp"
	}
	return upperFirst(sentenceCase(title)), cut
}

// fredTitle matches titles of series of FRED: name, unit, frequency, adjustment.
var fredTitle = lazyregexp.New(`^(.+?), ([^,]+(?:, [^,]+)?), (?:Daily|Weekly|Biweekly|Monthly|Quarterly|Semiannual|Annual)[^,]*(?:, ((?:Not )?Seasonally Adjusted(?: Annual Rate)?))?$`)

// totalAnd matches titles of a total and of a part or a ratio of it: "Total and urban population",
// "Gross domestic product: total and per capita".
var totalAnd = lazyregexp.New(`(?i)^total and (.+) (\S+)$|^(.+): total and (.+)$`)

// onlyTotal returns the title of a table of a total and another measure if only the total is drawn,
// whose label need not say so.
func (p *Picture) onlyTotal(title string) string {
	m := totalAnd.FindStringSubmatch(title)
	if m == nil {
		return title
	}
	isOther := func(c stat.Code) bool { return Contains(c.Label, m[1]+m[4]) }
	for axis := range p.Dataset.Dimensions {
		codes := p.Dataset.Dimensions[axis].Codes
		if slices.Contains(p.Varies, axis) || isOther(codes[p.Key[axis]]) || !slices.ContainsFunc(codes, isOther) {
			continue
		}
		if m[3] != "" {
			return m[3] + ", total"
		}
		return "Total " + m[2]
	}
	return title
}

var (
	tableWord   = lazyregexp.New(`^(?i:table|tabelle|tabela|tableau|tabla|tavola|tabell|tabel|taulukko)\s+[A-Z]{0,3}\d[\w.\-]*\s*[.:–—-]\s*`)
	tableNumber = lazyregexp.New(`^\d+(\.\d+)+\.?\s+`)                               // "22.1.2.1. "
	tableCode   = lazyregexp.New(`^([0-9A-Za-z_]*\d[0-9A-Za-z_]*)(: | -- |\. | - )`) // "12c1 -- ", "NAAC01: "
	groupName   = lazyregexp.New(`^((EU|EA|G)\d{1,2}|(19|20)\d\d)$`)
	beaTable    = lazyregexp.New(`^[CS][AQ](INC|GDP|EMP|ACE|RPP|RPI|INE)\d+[A-Z]? `) // of the Bureau of Economic Analysis
)

// withoutNumber cuts the number of a table off the beginning of its title.
func withoutNumber(d *stat.Dataset, title string) string {
	title = strings.TrimPrefix(title, "Description ") // the name of the field in the office's form
	if tail := tableWord.ReplaceAllString(title, ""); tail != title {
		return tail
	}
	if m := tableCode.FindStringSubmatch(title); m != nil && len(m[1]) > 3 && !groupName.MatchString(m[1]) {
		return title[len(m[0]):]
	}
	if head, _, _ := strings.Cut(d.Code, "-"); len(head) > 3 && IsCode(head) { // "CHELEM - International Trade" of CHELEM-TRADE-CHEL
		title = strings.TrimPrefix(title, head+" - ")
	}
	for _, number := range []*lazyregexp.Regexp{tableNumber, beaTable} {
		if tail := number.ReplaceAllString(title, ""); tail != title {
			return tail
		}
	}
	first, rest, _ := strings.Cut(title, " ") // "F1 INTEREST RATES" of the file f1-data, but not "CO2 emissions" of co2
	isNumber := IsCode(first) && strings.ContainsFunc(first, unicode.IsDigit) && !strings.ContainsFunc(rest, unicode.IsLower) && !measureAbbreviations[strings.ToLower(first)]
	if head, _, _ := strings.Cut(d.Code, "-"); isNumber && strings.EqualFold(first, head) && rest != "" {
		return rest
	}
	return title
}

var (
	often      = `(annual|yearly|half-yearly|bi-annual|quarterly|monthly|weekly|daily)`
	oftenData  = lazyregexp.New(`(?i)\s*( [-–—] \(?|, ?|\()` + often + `( (aggregated|and ` + often + `))? (data|series|statistics)\)?|,? ` + often + `$| \((Qrtly|Mthly|Annual)[^()]*\)`)
	bracketEnd = lazyregexp.New(`\s*\[[A-Z0-9_]+\]$`) // "[BEESTA]"
	keyEnd     = lazyregexp.New(`\s*\([A-Z0-9]+(\.[A-Z0-9_]+){2,}\)$`)
	yearsEnd   = lazyregexp.New(`[,:;.(\s]+(19|20)\d\d([HMQWKTS]\d{1,2}|\(base\))?\s?[-–]\s?(19|20)\d\d([HMQWKTS]\d{1,2})?\)?$`)
	yearEnd    = lazyregexp.New(`[.;:]\s+(19|20)\d\d$`) // "Canada. 2012"
	sinceEnd   = lazyregexp.New(`(?i)\s*[,(]?\s*\(?((from|since) (19|20)\d\d( onwards)?|(19|20)\d\d onwards)\)?$`)
	dateEnd    = lazyregexp.New(`[;,] (19|20)\d\d-\d\d-\d\d$`)
	surveyEnd  = lazyregexp.New(`(?i) [-–—] (EU-SILC( and ECHP)? surveys?|EU ?2020 strategy|main indicators|main results|police data)$|: main results$`)
	rawEnd     = lazyregexp.New(`(?i),? (raw data|characteristics)$`)
	quoteEnd   = lazyregexp.New(` / EUR 1 = [A-Z]{3} .*$`)             // of the Bundesbank; the unit says it
	yearOf100  = lazyregexp.New(`([^,(]) ((19|20)\d\d ?= ?100)$`)      // "all items 2015=100"
	itemNumber = lazyregexp.New(`(?i)\b(index|rate) \d\d(\.\d+)* ?: `) // "CPIH INDEX 00: ALL ITEMS", of the ONS
	sourceEnd  = lazyregexp.New(`(?i)\s*\(source: [^()]+\)$`)
	unitEnd    = lazyregexp.New(`(?i)\s*\((in )?(%|per ?cent|1 000|1000|thousands?|millions?)\)$|\s*,\s*1000s$|\s+-\s+%$`)
	// wholeAndParts matches the areas of a table: ", Canada and provinces". A picture names those that it has.
	wholeAndParts = lazyregexp.New(`, \p{Lu}\pL+(,? and|,) (the |its )?(provinces|states|regions|counties)( and (the )?territories)?\b`)
	// depthEnd matches what regional tables of Germany say of their areas and of the day of their numbers.
	depthEnd  = lazyregexp.New(`(?: - (?:Jahresdurchschnitt|Jahressumme|Stichtag[^-]*|Jahr))? ?- regionale Tiefe:.*$`)
	levelsEnd = lazyregexp.New(`\s*\(RDC\)$`) // "regions, districts, cities", of the office of Ukraine
	classEnd  = lazyregexp.New(`\s*\((NAF|NACE)[^()]*\)$`)
)

// withoutTail cuts one remark off the end of a title: the period, how often it appears, the
// survey, and the unit if the picture names it beside the title.
func (p *Picture) withoutTail(title string) string {
	title = oftenData.ReplaceAllString(title, "")
	for _, tail := range []*lazyregexp.Regexp{bracketEnd, keyEnd, yearsEnd, yearEnd, sinceEnd, dateEnd, surveyEnd, sourceEnd, classEnd, levelsEnd, rawEnd, quoteEnd, depthEnd} {
		if at := tail.FindStringIndex(title); at != nil && at[0] > 0 {
			title = title[:at[0]]
		}
	}
	if areas := p.Dataset.Geography.Codes; len(areas) == 1 { // "Population. Canada": the subtitle names the area
		title = strings.TrimSuffix(title, ". "+areas[0].Label)
	}
	if p.Unit != "" {
		title = unitEnd.ReplaceAllString(title, "")
	}
	return title
}

// hungarian matches what a Hungarian table is broken down by, which "szerint" follows.
var hungarian = lazyregexp.New(`(?i)\s(nem|nemek|kor|korcsoport|korcsoportok|életkor|vármegye|vármegyék|megye|megyék|régió|régiók|településtípus|ágazat|ágazatok|gazdasági ágak|évek)((, | és )\pL+)* szerint`)

// abbreviations are written so in any title, by their lower case.
var abbreviations = func() map[string]string {
	known := map[string]string{"co2": "CO₂"}
	for word := range strings.FieldsSeq("GDP GNI GNP CPI CPIH PPI HICP HICPS RPI HDI GDI IHDI PPP EU EA UK US USA UN UNHCR OECD IMF WHO BIS ECB FX VAT GVA ISIC NACE NUTS SITC COICOP " +
		"ISCO ISCED IPC PIB IPI IPCA INPC TFR SHDI CO N2O CH4 GHG R&D FDI ODA SDG ICT MFI NPISH GFCF LFS USD EUR GBP CHF JPY NEET AIDS HIV TB BMI COVID II III IV NSW ACT CVS") {
		known[strings.ToLower(word)] = word
	}
	return known
}()

// measureAbbreviations are abbreviations that say what is measured, in lower case.
var measureAbbreviations = setOf("gdp|gni|gnp|gva|cpi|cpih|ppi|rpi|hicp|hdi|ihdi|gdi|tfr|fdi|oda|bip|vgr|vpi|hvpi|pib|pil|ipc|ipca|inpc|ipi|bbp|bnp|pkb|hdp|bdp|skp|" +
	"bkt|ikp|pdb|gsyh|imr|bmi|shdi|co2|m1|m2|m3")

// sentenceCase writes a title in capitals in small letters, except abbreviations.
func sentenceCase(title string) string {
	if strings.ContainsFunc(title, unicode.IsLower) || strings.Count(title, " ") < 2 {
		return title
	}
	words := strings.Fields(title)
	for i, word := range words {
		bare := strings.ToLower(strings.Trim(word, ",;:.()"))
		if abbreviations[bare] == "" {
			words[i] = strings.ToLower(word)
		}
	}
	return strings.Join(words, " ")
}

// upperFirst writes the first letter in upper case, unless the first word mixes both.
func upperFirst(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if strings.ContainsFunc(first, unicode.IsUpper) {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// lowerFirst writes the first letter in lower case, unless the first word has other capitals.
func lowerFirst(text string) string {
	first, _, _ := strings.Cut(text, " ")
	r, size := utf8.DecodeRuneInString(first)
	if size == 0 || strings.ContainsFunc(first[size:], unicode.IsUpper) {
		return text
	}
	return string(unicode.ToLower(r)) + text[size:]
}
