package office

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
)

// datasetPage is the address scheme of the pages that an office's site has for its datasets.
type datasetPage struct {
	sources string             // IDs of offices and of their servers, separated by spaces
	codes   *lazyregexp.Regexp // of the datasets that have a page
	address string             // with $0 for the code, and $1 … for groups of codes
	theme   string             // the place in the office's list of all that have a page; empty: it does not matter
}

// datasetPages has the schemes that are known, one for each kind of code; the first that
// matches applies. Offices whose pages have other names than the datasets' codes have no row:
// WHO and Istat (titles, folders), INSEE, FAO, UNESCO, UNICEF and the UN (other codes for their
// pages than for their data), the ILO (with the frequency), the ABS (with the version), and Statistics Sweden.
var datasetPages = []datasetPage{
	{"eurostat", lazyregexp.New(`^([a-z][a-z0-9]*(_[a-z0-9]+)+|t[a-z]{2}([0-9]{2}|[0-9]{5})|t[a-z]{3,6}[0-9]{2,3}|tqoe[0-9][a-z][0-9]|ds-[0-9]+)$`), eurostatPage + "$0", ""},
	{"ecb", lazyregexp.New(`^[A-Z0-9_]+$`), "https://data.ecb.europa.eu/data/datasets/$0", ""},
	{"bis", lazyregexp.New(`^WS_(CBPOL|EER|GLI)$`), "https://data.bis.org/topics/$1", ""},
	{"bis", lazyregexp.New(`^WS_SPP$`), "https://data.bis.org/topics/RPP", ""},
	{"bis", lazyregexp.New(`^WS_CREDIT_GAP$`), "https://data.bis.org/topics/CREDIT_GAPS", ""},
	{"bis", lazyregexp.New(`^WS_LBS_D_PUB$`), "https://data.bis.org/topics/LBS", ""},
	{"bis", lazyregexp.New(`^WS_OTC_DERIV2$`), "https://data.bis.org/topics/OTC_DER", ""},
	{"oecd", lazyregexp.New(`^(OECD[A-Z0-9.]*),([A-Za-z0-9_]+@[A-Za-z0-9_]+)$`), "https://data-explorer.oecd.org/vis?df[ds]=dsDisseminateFinalDMZ&df[id]=$2&df[ag]=$1&df[vs]=", ""},
	{"worldbank", lazyregexp.New(`^[A-Za-z0-9_.]+$`), "https://data.worldbank.org/indicator/$0", "World Development Indicators"},
	{"imf-datamapper", lazyregexp.New(`^[A-Za-z0-9_]+$`), "https://www.imf.org/external/datamapper/$0", ""},
	{"fred fred-api", lazyregexp.New(`^[A-Z0-9_]+$`), "https://fred.stlouisfed.org/series/$0", ""},
	{"owid", lazyregexp.New(`^[a-z][a-z0-9-]*$`), "https://ourworldindata.org/grapher/$0", ""},
	{"statcan", lazyregexp.New(`^[0-9]{8}$`), "https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=${0}01", ""},
	{"ine", lazyregexp.New(`^[0-9]+$`), "https://www.ine.es/jaxiT3/Tabla.htm?t=$0", ""},
	{"ine", lazyregexp.New(`^[A-Z]+[0-9]+$`), "https://www.ine.es/consul/serie.do?d=true&s=$0", ""},
	{"destatis", lazyregexp.New(`^([0-9]{5})-[0-9]{4}$`), "https://www-genesis.destatis.de/datenbank/online/statistic/$1/table/$0", ""},
	{"destatis_regional regionalstatistik", lazyregexp.New(`^[0-9A-Z]+(-[0-9A-Za-z]+)+$`), "https://www.regionalstatistik.de/genesis/online?operation=table&code=$0", ""},
	{"destatis_zensus zensus2022", lazyregexp.New(`^[0-9]{4}[A-Z]-[0-9]{4}$`), "https://ergebnisse.zensus2022.de/datenbank/online/table/$0", ""},
}

// DatasetPage returns the address of the page that an office's site has for a dataset; empty if
// it is not known. source is an office or one of its servers. theme is the place of the dataset
// in the office's list, if it is known.
func DatasetPage(source, code, theme string) string {
	if source == "eurostat" {
		code = eurostatCode(code)
	}
	for _, p := range datasetPages {
		if slices.Contains(strings.Fields(p.sources), source) && strings.Contains(theme, p.theme) && p.codes.MatchString(code) {
			return p.codes.ReplaceAllString(code, p.address)
		}
	}
	return ""
}

// EurostatPage returns the address on Eurostat's site of a dataset that Eurostat lists or sent.
func EurostatPage(code string) string { return eurostatPage + eurostatCode(code) }

// eurostatPage begins the addresses of datasets on Eurostat's site.
const eurostatPage = "https://ec.europa.eu/eurostat/databrowser/product/view/"

// eurostatCode returns a code as addresses have it, without the name of a view.
func eurostatCode(code string) string {
	code, _, _ = strings.Cut(strings.ToLower(code), "$")
	return code
}

// servers are the offices of servers whose ID does not begin with that of the office.
var servers = map[string]string{
	"faostat": "fao", "unsdg": "unsd", "un-sdg": "unsd",
	"destatis_regional": "regionalstatistik", "destatis_zensus": "zensus2022",
}

// Site returns the address of an office's site; empty if it is not known. source is the office or
// one of its servers, such as destatis_cubes.
func Site(source string) string {
	id := source
	if at := strings.IndexAny(source, "_-"); at > 0 {
		id = source[:at]
	}
	return cmp.Or(Find(servers[source]).URL, Find(source).URL, Find(id).URL)
}
