package plain

import (
	"strings"
	"unicode"
)

// Folded headings of plain tables, in the languages of the offices. Of each list, the
// first that a table has counts.
var (
	wordsPeriod = []string{
		"time period", "time", "period", "date", "year", "ref date", "reference period", "obs time", "month", "quarter", "week", "day",
		"observation date", "obs date", "reference date", "ref period", "ref year", "calendar year", "fiscal year", "yr", "years", "periods", "period name", "data year", "yyyymm",
		"zeit", "jahr", "datum", "zeitraum", "berichtszeitraum", "stichtag", "berichtsjahr", "monat", "quartal",
		"année", "annee", "période", "periode", "temps", "mois", "trimestre",
		"año", "ano", "anio", "periodo", "período", "fecha", "mes", "data", "mês", "anno", "tempo", "mese",
		"perioden", "jaar", "jaren", "tijd", "maand", "kwartaal",
		"rok", "lata", "okres", "miesiąc", "kwartał", "období", "obdobie", "čas", "měsíc", "čtvrtletí", "leto", "godina", "razdoblje",
		"év", "időszak", "dátum", "hónap", "negyedév", "idő",
		"aasta", "aeg", "periood", "kuu", "kvartal", "kvartaal", "gads", "laiks", "periods", "metai", "laikas", "laikotarpis", "laikotarpis metai",
		"vuosi", "aika", "kuukausi", "neljännes", "vuosineljännes", "år", "tid", "tidpunkt", "månad", "måned", "kvartal", "ár", "tími",
		"έτος", "περίοδος", "χρόνος", "an", "ani", "perioade", "an de referinta", "година", "период", "год", "годы", "рік", "період", "місяць", "месяц", "yıl", "dönem", "tarih", "zaman",
		"年", "年度", "年次", "年月", "時点", "時間", "时间", "時間軸", "月", "四半期", "期間", "調査年", "연도", "시점", "기간", "tahun", "năm", "السنة", "ปี",
	}
	wordsYear = []string{
		"year", "jahr", "année", "annee", "año", "ano", "anno", "zeit", "time", "jaar", "rok", "år", "vuosi", "aasta", "év", "an", "год", "рік", "yıl", "年", "ref year", "calendar year",
	}
	wordsPart = []string{
		"month", "quarter", "week", "qtr", "monat", "quartal", "woche", "mois", "trimestre", "mes", "mês", "mese", "semester", "period", "maand", "kwartaal",
		"měsíc", "miesiąc", "kwartał", "måned", "månad", "kuukausi", "kuu", "hónap", "negyedév", "month code", "quarter code", "half year", "halbjahr", "月",
	}
	wordsDay = []string{"day", "tag", "jour", "día", "dia", "giorno", "dag", "dzień", "den", "päivä", "nap", "päev", "日"}
	// wordsWholeYear are headings of values of the year beside those of its parts.
	wordsWholeYear = []string{
		"annual", "year", "total", "ann", "yearly", "average", "avg", "annual average", "annual total", "year total", "jahr", "insgesamt", "jahresdurchschnitt", "année", "total annuel", "moyenne", "anual", "total anual", "promedio", "ano", "anno", "totale", "rok",
	}
	wordsFreq = []string{"freq", "frequency", "frequency code", "freq code", "time format", "time format code", "zeit code", "time code", "periodicity", "periodicidad", "fréquence", "frequenz"}
	// wordsFrequency are the cells of columns of frequencies.
	wordsFrequency = []string{
		"a", "q", "m", "w", "d", "s", "h", "annual", "annually", "yearly", "quarterly", "monthly", "weekly", "daily", "half-yearly", "semiannual",
		"jahr", "quartal", "monat", "year", "quarter", "month", "p1y", "p3m", "p1m", "p1d", "anual", "mensual", "trimestral", "annuel", "mensuel", "trimestriel",
	}

	wordsValue = []string{
		"value", "values", "obs value", "observation value", "observation", "numeric", "numeric value", "fact value numeric", "v4 0", "v4 1", "v4 2", "v4 3", "amount", "figure", "data value", "primary value", "val", "number", "count",
		"wert", "werte", "valeur", "valor", "valores", "valore", "waarde", "værdi", "värde", "verdi", "indhold", "contents", "content", "arvo", "väärtus", "vērtība", "reikšmė", "wartość", "wartosc", "hodnota", "érték",
		"vrijednost", "vrednost", "valoare", "τιμή", "значение", "значення", "стойност", "değer", "値", "数値", "值", "数值", "값", "수치값", "dato", "total", "zahl", "anzahl", "antal", "antall", "aantal", "liczba", "število",
	}
	// wordsWeakValue are those of them that may name one of several columns of values.
	wordsWeakValue = []string{"total", "number", "count", "zahl", "anzahl", "antal", "antall", "aantal", "liczba", "število", "figure", "amount", "content", "contents", "data value"}
	// wordsDisplay are headings of columns that repeat the value as a text.
	wordsDisplay = []string{"display value", "text value", "value text", "displayvalue", "formatted value", "fact value translation id", "display"}
	wordsLower   = []string{"lower bound", "lower", "low", "lower limit", "lower ci", "ci lower", "minimum", "lower confidence limit", "low confidence limit", "lower confidence interval", "fact value numeric low", "lower uncertainty bound", "lci", "lcl", "ci low", "lower 95", "conf low"}
	wordsUpper   = []string{"upper bound", "upper", "high", "upper limit", "upper ci", "ci upper", "maximum", "upper confidence limit", "high confidence limit", "upper confidence interval", "fact value numeric high", "upper uncertainty bound", "uci", "ucl", "ci high", "upper 95", "conf high"}
	wordsFlag    = []string{
		"obs status", "obs flag", "flag codes", "flag code", "flag", "flags", "status", "status flag", "symbol", "value flag code", "value status", "observation status", "status code", "disclosure code", "suppression", "suppression flag", "qualifier",
		"value missing value", "value q", "statut", "estado", "kennzeichen", "merkzeichen", "znak", "jelzés", "quality", "value quality", "obs status code", "data status",
	}
	wordsConf = []string{"conf status", "confidentiality", "confidentiality status", "conf status code", "obs conf"}
	wordsNote = []string{
		"obs note", "note", "notes", "comment", "comments", "footnote", "footnotes", "remark", "remarks", "obs comment", "value footnotes", "value footnote", "footnote codes", "footnote code", "obs com",
		"anmerkung", "bemerkung", "hinweis", "fußnote", "remarque", "commentaire", "nota", "notas", "observaciones", "observações", "opmerking", "toelichting", "uwagi", "poznámka", "megjegyzés", "märkus", "huomautus", "anmärkning", "fotnot", "備考", "注記", "注", "примечание", "примітка",
	}
	wordsUnit = []string{
		"unit", "units", "unit measure", "unit of measure", "uom", "unit name", "unit label", "value unit", "measurement unit", "unit of measurement", "einheit", "maßeinheit", "unité", "unite", "unidad", "unidad de medida", "unidade", "unidade de medida", "unità di misura", "eenheid",
		"jednostka miary", "jednostka", "jednotka", "mértékegység", "ühik", "mērvienība", "matavimo vienetas", "yksikkö", "enhet", "enhed", "мерна јединица", "единица измерения", "единица", "одиниця виміру", "birim", "単位", "单位",
	}
	// wordsAttribute are headings of columns that describe an observation or a series, and
	// have no place in a dataset. Unit multipliers are among them only while they are 1.
	wordsAttribute = []string{
		"decimals", "decimal places", "estimates start after", "lat", "long", "lon", "latitude", "longitude", "decimalen", "vector", "coordinate", "vector id", "uom id", "scalar id", "terminated", "obs pre break", "obs decimals", "precision",
		"last update", "last updated", "updated", "date modified", "date of update", "update date", "release date", "publication date", "publishing date", "publishstate", "publish state",
		"is original classification", "is leaf", "is qty estimated", "is alt qty estimated", "is net wgt estimated", "is gross wgt estimated", "is reported", "is aggregate", "legacy estimation flag", "source id", "data source id",
		"classification search code", "unit code", "time code", "time label", "structure id", "data source", "source", "quelle", "fuente", "fonte", "kilde", "källa", "źródło",
	}
	wordsMultiplier = []string{"scalar factor", "unit mult", "unit multiplier", "multiplier", "powercode", "powercode code", "power code code", "power code", "scale", "magnitude"}
	// wordsOne are the cells of multipliers that change nothing.
	wordsOne = []string{"units", "unit", "0", "1", "one", "ones", "einheiten", "unités (0)", "units (0)", "units ", "eins"}
	// wordsDescribing are headings of columns that describe the area in the row, whatever
	// their cells.
	wordsDescribing = []string{
		"iso2", "iso 2", "iso3", "iso 3", "iso a2", "iso a3", "iso", "iso code", "alpha 2", "alpha 3", "iso3a code", "m49", "un code", "latitude", "longitude", "lat", "lon", "long", "continent", "income group", "incomegroup", "income level", "world bank income group", "worldbankincomegroup",
		"region", "subregion", "sub region", "world region", "hdicode", "hdi group", "sumlev", "division", "level", "wb region", "who region", "lending category", "region code", "sub region code", "subregion code", "geo level", "capital",
	}

	// wordsMeasured are words in headings of columns that say what the values measure,
	// which is never left out.
	wordsMeasured = []string{"currency", "unit", "measure", "scale", "price", "prices", "einheit", "währung", "monnaie", "moneda", "moeda", "valuta"}

	// wordsNumeric are headings of dimensions whose codes are numbers.
	wordsNumeric = []string{
		"age", "ages", "age group", "single age", "alter", "âge", "edad", "età", "ålder", "alder", "leeftijd", "ikä", "vanus", "wiek", "věk", "életkor", "idade", "возраст", "вік", "年齢", "年龄", "amžius", "vecums",
		"sex", "gender", "geschlecht", "sexe", "sexo", "sesso", "kjønn", "kön", "køn", "geslacht", "sukupuoli", "sugu", "płeć", "pohlaví", "nem", "пол", "стать", "性別", "性别", "lytis", "dzimums", "cinsiyet",
		"grade", "class", "decile", "quintile", "quartile", "percentile", "cohort",
	}
	// wordsNumber are headings of numbers that count or identify things.
	wordsNumber = []string{
		"no", "no.", "nr", "num", "row", "row number", "rownum", "index", "idx", "key", "rank", "serial", "serial number", "record", "line", "id", "rowid", "row id", "objectid", "unnamed: 0",
		"zip", "postcode", "postal code", "phone", "fips", "geonameid", "isic", "nace", "isco", "cpc", "hs", "sitc", "cpv", "isced", "lfd nr",
	}
	// wordsRow are those of them that number the rows of a file.
	wordsRow = []string{"id", "no", "no.", "nr", "row", "row number", "rownum", "index", "idx", "serial", "serial number", "record", "line", "rowid", "row id", "objectid", "unnamed: 0", "lfd nr", "position"}

	wordsGeoCode = []string{
		"geo", "ref area", "geo fips", "country code", "countrycode", "geo area code", "geoareacode", "iso3", "iso2", "iso", "iso3c", "iso2c", "iso code", "iso 3", "iso 2", "country iso", "country iso3", "iso a3", "iso a2",
		"area code", "geo code", "geo id", "location code", "region code", "economy code", "m49", "m49 code", "nuts", "nuts code", "area code (m49)",
		"reporter code", "reportercode", "reporting economy code", "reporter iso3", "spatial dim", "reporter country code (m49)",
	}
	wordsGeoName = []string{
		"country name", "country", "country or area", "geo name", "ámbito geográfico", "borough", "borough name", "countries", "countryname", "geo area name", "geoareaname", "reference area", "geographic area", "geographic area name", "geography", "area", "economy", "economy label",
		"entity", "location", "region", "territory", "nation", "state", "reporter", "reporter desc", "reporterdesc", "reporting economy", "geo label", "region name", "area name", "location name", "province", "county", "municipality", "district", "prefecture", "census division", "census region", "residence state", "states", "stname", "state name",
		"land", "bundesland", "pays", "région", "département", "departement", "country/region", "país", "pais", "provincia", "comunidad autónoma", "comunidades y ciudades autónomas", "entidad federativa", "municipio", "paese", "territorio", "regione", "regio s", "regios", "regio", "land/region",
		"kraj", "województwo", "krajina", "ország", "megye", "maakond", "piirkond", "maa", "alue", "område", "landsdel", "kommune", "kommun", "län", "fylke", "страна", "регион", "країна", "регіон", "ülke", "il", "国", "地域", "地区", "都道府県", "国家",
	}
	// wordsPlace are headings of areas that share their names with others of their kind.
	wordsPlace = []string{
		"county", "counties", "county name", "ctyname", "district", "municipality", "municipio", "kommune", "kommun", "city", "town", "place", "commune", "comune", "gemeinde", "gemeente",
	}
	// wordsPartner are headings of areas that a number is about only in relation to that
	// of the row.
	wordsPartner = []string{"partner", "counterpart", "citizen", "destination", "origin", "birth", "nationality"}

	wordsCodeEnding = []string{"code", "codes", "id", "iso", "kode", "codigo", "código", "kod", "cod", "schlüssel", "kód"}
	wordsNameEnding = []string{"name", "label", "labels", "desc", "description", "descripcion", "descripción", "nazwa", "bezeichnung", "libellé", "nom", "nombre", "title"}

	// wordsMissing are words and signs in the place of a number, beside those of
	// text.IsMissing. A hyphen is "nothing" at some offices and "not available" at others, so
	// it is no number.
	wordsMissing = []string{
		"-", "–", "—", "--",
		"not applicable", "not available", "unreliable", "suppressed", "missing", "no data", "not collected", "withheld", "nicht verfügbar", "non disponible", "no disponible", "no aplica", "não disponível", "nav", "#value!", "#ref!", "#div/0!", "nd.",
	}
	wordsTotal = []string{"total", "all", "gesamt", "insgesamt", "totale", "ensemble", "totaal", "razem", "celkem", "összesen", "kokku", "i alt", "totalt", "yhteensä", "總計", "合計", "всего", "усього"}

	// wordsFooter begin the notes below a table.
	wordsFooter = []string{
		"source", "sources", "q:", "data source", "note", "notes", "footnote", "footnotes", "last updated", "last update", "updated", "copyright", "data from database", "legend", "caveats", "messages", "suggested citation", "query date", "dataset", "retrieved", "downloaded", "generated", "unit", "please cite",
		"quelle", "quellen", "hinweis", "anmerkung", "anmerkungen", "stand", "zeichenerklärung", "fonte", "fontes", "nota", "notas", "elaboração", "legenda", "fuente", "fuentes", "elaboración", "actualizado", "nota metodológica", "note metodologiche", "remarque", "remarques", "champ", "lecture", "producteur", "mise à jour", "bron", "toelichting",
		"źródło", "uwaga", "uwagi", "zdroj", "poznámka", "poznámky", "forrás", "megjegyzés", "allikas", "märkus", "avots", "šaltinis", "lähde", "källa", "kilde", "heimild", "izvor", "vir", "sursa", "πηγή", "источник", "примечание", "джерело", "примітка", "kaynak",
		"資料", "出典", "出所", "注", "注記", "備考", "資料来源", "数据来源", "资料来源", "注释", "자료", "출처",
	}
)

// fold returns a heading in lower case, with one space between words, which capital
// letters within a word begin too: "geoAreaCode" is "geo area code".
// "Year(s)" is "years".
func fold(heading string) string {
	var words strings.Builder
	last := ' '
	for _, r := range strings.ReplaceAll(heading, "(s)", "s") {
		if unicode.IsSpace(r) || strings.ContainsRune("_-.\u00a0\ufeff", r) {
			r = ' '
		}
		if unicode.IsLower(last) && unicode.IsUpper(r) {
			words.WriteRune(' ')
		}
		if r != ' ' || last != ' ' {
			words.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	return strings.TrimSpace(words.String())
}

// hasWord reports whether one of the words of a folded heading, or its whole in
// languages without spaces, begins with one of the texts.
func hasWord(heading string, texts ...string) bool {
	for _, word := range strings.FieldsFunc(heading, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, t := range texts {
			if word == t || word == t+"s" || len(t) >= 3 && !isASCII(t) && strings.Contains(word, t) {
				return true
			}
		}
	}
	return false
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
