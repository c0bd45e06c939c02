package office

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// ObsStatus are the codes of SDMX CL_OBS_STATUS 2.2.
var ObsStatus = strings.Fields("A B D E F G H I J K L M N O P Q S U V W")

// meanings are the codes of CL_OBS_STATUS 2.2 that equal an office's own codes of
// observation status, by source, code list ([stat.ListName], "" for any) and code.
// A code with "" has no equal: it is kept as the office's own, like every code that is not
// in the list of a listed office.
var meanings = map[string]map[string]map[string]string{
	// ILO: A is adjusted and M model-based, and neither normal nor missing.
	// Its X is "not applicable", S "not significant", N "not available".
	"ilo": {"": {
		"B": "B", "E": "E", "P": "P", "F": "F", "U": "U", "I": "I", "X": "M", "S": "N", "N": "O", "C": stat.ConfPrefix + "C",
		"A": "", "M": "", "L": "", "R": "", "Z": "", // adjusted, model-based, computed, real value, not official estimate
	}},
	// OECD's MEI: Z is an absolute zero.
	"oecd": {"": {"B": "B", "E": "E", "P": "P", "F": "F", "D": "D", "M": "M", "L": "L", "Q": "Q", "N": "N", "U": "U", "A": "A", "Z": "", "O": "O"}},
	// Statistics Canada: letters are grades of quality.
	// Its SDMX has numbers for what its tables show as letters and dots.
	"statcan": {
		"": {"P": "", "E": "", "F": "", "..": "M", "...": "M", "X": "Q"},
		"status_can": {
			"0": "A", "1": "M", "2": "STATCAN:0s", "3": "STATCAN:A", "4": "STATCAN:B", "5": "STATCAN:C", "6": "STATCAN:D",
			"7": "STATCAN:E", "8": "STATCAN:F", "9": "M", "10": "STATCAN:<LOD",
		},
		"symbol": {"0": "A", "1": "P", "3": "STATCAN:r"},
	},
	"fao": {"": {"*": "", "A": "A", "E": "E", "I": "I", "M": "M", "P": "P", "F": "F", "B": "B", "Q": "Q", "L": "L", "N": "N", "U": "U",
		"O": "O", "V": "V", "X": "", "T": "", // figure of an international organization, unofficial figure
	}},
	// The Bureau of Labor Statistics: the other footnotes are those of single surveys.
	"bls": {"": {"P": "P"}},
	// The Federal Reserve: not available, no data, not calculable.
	"frb":       {"": {"A": "A", "NA": "O", "ND": "O", "NC": "M"}},
	"worldbank": {"": {"A": "A", "B": "B", "E": "E", "F": "F", "P": "P", "D": "D", "U": "U", "M": "M"}},
}

// statusWords are words for the status of an observation, in lower case, as tables of authors without a code list have
// them, by the codes of CL_OBS_STATUS 2.2 and CL_CONF_STATUS that equal them. Those of "" have none.
var statusWords = map[string]string{
	"A": `actual, normal, normal value, official, official figure, official data, final, finals, final value, final values, final data, final figure, final figures, definite, definitive,
		endgültig, endgültige, endgültiger wert, endgültige werte, endgültige ergebnisse, endgültiges ergebnis, définitif, définitifs, définitive, définitives, definitif, definitivo, definitiva, definitivos,
		definitivas, definitivi, definitief, definitieve, definitieve cijfers, definitiv, definitivt,
		endelig, endelige, endeligt, slutlig, slutlige, slutliga, slutligt, lopullinen, lopulliset, ostateczne, ostateczny, ostateczna, konečná, konečný, definitivní, konečné, végleges, окончательные, окончательный`,
	"B": `break, break in series, break in the series, break in time series, break in the time series, series break, time series break, series broken,
		zeitreihenbruch, bruch in der zeitreihe, reihenbruch, rupture, rupture de série, rupture dans la série, ruptura, ruptura de serie, ruptura de la serie, ruptura de série,
		quebra de série, interruzione della serie, reeksbreuk, trendbreuk, tidsseriebrott, databrudd, databrud, przerwa w szeregu`,
	"D": `definition differs, different definition, abweichende definition, définition différente, definición diferente, definizione diversa, definição diferente, afwijkende definitie`,
	"E": `estimate, estimates, estimated, estimated value, estimated values, estimated data, estimated figure, estimated figures, flash estimate, schätzung, schätzungen, geschätzt, geschätzte, geschätzter wert, geschätzte werte, schätzwert, schätzwerte,
		estimation, estimations, estimé, estimés, estimée, estimées, valeur estimée, estimación, estimado, estimada, estimados, estimadas, valor estimado, stima, stime, stimato,
		stimata, stimati, stimate, dato stimato, estimativa, estimativas, schatting, schattingen, geschatte,
		 geschat, skattning, skattningar, skattad, skattade, skattat, uppskattad, uppskattade, uppskattat, uppskattning, estimat, estimert, estimeret, anslått, anslag, skøn, skønnet, arvio, szacunek, szacunki, szacunkowe, szacunkowy, szacunkowa,
		dane szacunkowe, odhad, odhady, odhadované, becsült, becslés, оценочные, оценка`,
	"F": `forecast, forecasts, forecasted, projection, projections, projected, prognose, prognosen, projektion, prévision, prévisions, previsión, previsiones, pronóstico,
		proyección, proyecciones, previsione, previsioni, proiezione, proiezioni, previsão, previsões, projeção, projeções, raming, prognos, prognoser, fremskrivning, framskrivning, ennuste, prognoza, prognozy, prognóza, előrejelzés, прогноз`,
	"G": `experimental, experimental data, experimentell, expérimental, sperimentale, experimenteel`,
	"I": `imputed, imputed value, imputation, imputiert, imputé, imputée, imputado, imputada, imputato, imputata, geïmputeerd`,
	"L": `not collected, nicht erhoben, non collecté, no recopilado`,
	"M": `not applicable, trifft nicht zu, sans objet, non applicable, ne s'applique pas, no procede, no aplica, no aplicable, non applicabile, não aplicável, não se aplica, niet van toepassing`,
	"N": `not significant, nicht signifikant, non significatif, no significativo, non significativo, não significativo, niet significant`,
	"O": `not available, data not available, unavailable, missing, missing value, no data, nicht verfügbar, keine angabe, keine angaben, ohne angabe, ohne angaben, keine daten,
		non disponible, non disponibles, donnée non disponible, données non disponibles, pas disponible, indisponible, indisponibles, manquant, manquante, donnée manquante,
		no disponible, no disponibles, dato no disponible, datos no disponibles, sin dato, sin datos, no consta, non disponibile, non disponibili, dato non disponibile, dati non disponibili,
		não disponível, dado não disponível, dados não disponíveis, niet beschikbaar, geen gegevens, gegevens ontbreken, saknas, uppgift saknas, ej tillgänglig,
		ikke tilgængelig, ikke tilgjengelig, mangler, ei saatavilla, nie dostępne, niedostępne, dane niedostępne, brak danych, brak informacji, nincs adat, není k dispozici, нет данных`,
	"P": `provisional, provisional value, provisional data, provisional figure, provisional figures, preliminary, preliminary value, preliminary data, preliminary figure, preliminary figures,
		vorläufig, vorläufige, vorläufiger wert, vorläufige werte, vorläufiges ergebnis, vorläufige ergebnisse, provisoire, provisoires, donnée provisoire, données provisoires, provisorio, provisoria, provisorios, provisorias,
		provisório, provisória, provisórios, provvisorio, provvisoria, provvisori, provvisorie, dato provvisorio, preliminar, preliminares, preliminare, préliminaire, préliminaires,
		voorlopig, voorlopige, voorlopige cijfers, foreløbig, foreløbige, foreløbigt, foreløpig, foreløpige, foreløpige tall, preliminär, preliminära, preliminärt, ennakkotieto, ennakkotiedot, ennakko, ennakollinen,
		wstępne, wstępny, wstępna, dane wstępne, tymczasowe, tymczasowy, tymczasowa, předběžný, předběžná, předběžné údaje, předběžné, előzetes, предварительные, предварительный`,
	"Q": `suppressed, withheld, not published, not disclosed, unterdrückt, nicht veröffentlicht, non publié, no publicado, non pubblicato, supprimé, suprimido, soppresso, onderdrukt`,
	"U": `low reliability, unreliable, not reliable, less reliable, limited reliability, eingeschränkte aussagekraft, aussagewert eingeschränkt, unsicher, unsicherer wert, fiabilité faible, faible fiabilité,
		peu fiable, baja fiabilidad, poco fiable, baja precisión, bassa affidabilità, poco affidabile, baixa fiabilidade, pouco fiável, onbetrouwbaar, lage betrouwbaarheid`,
	"V": `unvalidated, not validated, nicht validiert, non validé`,
	stat.ConfPrefix + "C": `confidential, confidential data, confidentiality, vertraulich, geheim, geheim gehalten, geheimhaltung, confidentiel, secret statistique, confidencial, confidenziale, données confidentielles, confidentielle,
		secreto estadístico, riservato, segreto statistico, segredo estatístico, vertrouwelijk, geheimhouding, konfidentiell, sekretess, poufne`,
	"": `revised, revised value, revised data, revised figure, semi-definitive, revidiert, berichtigt, korrigiert, révisé, révisée, révisés, révisées, semi-définitif, revisado, revisada, revisados, revisadas,
		rivisto, rivista, rivisti, rettificato, rettificati, revisto, revista, herzien, nader voorlopig, revideret, reviderad, reviderade, reviderat, revidert, reviderte, reviderede, tarkistettu, zrewidowane, poprawione, revidované, opravené, skorygowane`,
}

// ofWords are the codes of the words.
var ofWords = func() map[string]string {
	codes := map[string]string{}
	for code, words := range statusWords {
		for word := range strings.SplitSeq(words, ",") {
			codes[strings.TrimSpace(word)] = code
		}
	}
	return codes
}()

// IsStatus reports whether a text is a word for the status of observations, in any case.
func IsStatus(text string) bool {
	_, isWord := ofWords[strings.ToLower(text)]
	return isWord
}

// AreStatuses reports whether a text is a word for the status of observations, or consists of several: "provisional,
// revised".
func AreStatuses(text string) bool {
	flags, _ := wordFlags(Local.ID, text)
	return flags != "" || IsStatus(text)
}

// MarkFlags returns the flags of an observation without a number. A mark in place of the number that the source explains by
// the name of a status, such as "n.a. = not available", is that status.
func MarkFlags(source string, flags stat.Flags, textOf func(mark string) string) stat.Flags {
	all := flags.List()
	own := string(OwnFlag(source, ""))
	for i, flag := range all {
		mark, isOwn := strings.CutPrefix(flag, own)
		if status := ofWords[strings.ToLower(strings.TrimSuffix(textOf(mark), "."))]; isOwn && status != "" && status != "A" {
			all[i] = status
		}
	}
	return stat.NewFlags(all...)
}

// NoteFlags returns the flag of a note that is the name of a status, such as "Break in series". A note that says more has
// none, and so has one that says why a number is missing or secret, because a note may be on several numbers.
func NoteFlags(note string) stat.Flags {
	flags := stat.Flags(ofWords[strings.ToLower(strings.TrimSuffix(note, "."))])
	if _, conf := flags.Split(); flags == "A" || conf != "" || flags.Missing() {
		return ""
	}
	return flags
}

// wordFlags returns the flags of a text that is a word for a status, or several of such words: "provisional, estimated".
// Words without an equal code are kept as the source's own. A final estimate is an estimate.
func wordFlags(source, text string) (flags stat.Flags, areKnown bool) {
	text = strings.ToLower(text)
	if code := ofWords[text]; code != "" {
		return stat.Flags(code), true
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;/+()", r) })
	if len(words) == 1 {
		return "", false
	}
	var codes, own []string
	isNormal := false
	for _, word := range words {
		switch code, isWord := ofWords[word]; {
		case !isWord:
			return "", false
		case code == "A":
			isNormal = true
		case code == "":
			own = append(own, string(OwnFlag(source, word)))
		default:
			codes = append(codes, code)
		}
	}
	if isNormal && len(codes) == 0 {
		codes = []string{"A"}
	}
	return stat.NewFlags(append(codes, own...)...), len(own) == 0
}

// Status returns what a code of an office's list of observation status means: codes
// of CL_OBS_STATUS 2.2, or source:code for a code without an equal and for an unknown one. A code
// of an office without a list here may be a word: "forecast". The list is "" if the file does not
// name it.
func Status(source, list, code string) (flags stat.Flags, known bool) {
	code = strings.TrimSpace(code)
	if code == "" {
		return "", true
	}
	if source == "eurostat" && strings.EqualFold(list, "obs_flag") {
		return eurostatFlags(code)
	}
	lists, isListed := meanings[source]
	table := lists[stat.ListName(list)]
	if table == nil {
		table = lists[""]
	}
	meaning, known := table[strings.ToUpper(code)]
	switch {
	case source == "oecd" && code == "o": // a footnote of single tables; O is a missing value
		return OwnFlag(source, code), false
	case meaning != "":
		return stat.NewFlags(meaning), true
	case !isListed && (list == "" || stat.ListName(list) == "obs_status") && slices.Contains(ObsStatus, code):
		return stat.NewFlags(code), true
	}
	if flags, areKnown := wordFlags(source, code); flags != "" && !isListed {
		return flags, areKnown
	}
	return OwnFlag(source, code), known
}

// OwnFlag returns the flag for a code or mark of one source.
func OwnFlag(source, code string) stat.Flags {
	return stat.NewFlags(strings.ToUpper(source) + ":" + strings.ReplaceAll(code, " ", "-"))
}

// eurostatLetters are the letters of Eurostat's list OBS_FLAG, which its dictionary
// calls "flags", with the equal codes of CL_OBS_STATUS 2.2; a letter without one is
// kept as the office's own. Case matters.
var eurostatLetters = map[string]stat.Flags{
	"b":  "B",                   // break in time series
	"c":  stat.ConfPrefix + "C", // confidential
	"d":  "D",                   // definition differs
	"e":  "E",                   // estimated
	"f":  "F",                   // forecast
	"i":  "ESTAT:i",             // see metadata
	"n":  "N",                   // not significant
	"p":  "P",                   // provisional
	"r":  "ESTAT:r",             // revised
	"s":  "E ESTAT:s",           // Eurostat estimate
	"u":  "U",                   // low reliability
	"z":  "M",                   // not applicable
	"@C": stat.ConfPrefix + "C", // confidential, as a list of its own
}

// eurostatFlags reads a sequence of letters, each optionally after an @: "bdu" is
// three flags. Any other text is kept as it is.
func eurostatFlags(text string) (flags stat.Flags, known bool) {
	own := OwnFlag("estat", text)
	if len(text) > maxLetters {
		return own, false // a word
	}
	var codes []string
	for rest := text; rest != ""; {
		size := 1
		if rest[0] == '@' && len(rest) > 1 {
			size = 2
		}
		meaning, ok := eurostatLetters[rest[:size]]
		if !ok {
			return own, false
		}
		codes = append(codes, string(meaning))
		rest = strings.TrimLeft(rest[size:], " ")
	}
	return stat.NewFlags(codes...), true
}

// WithoutNumber returns the flags of a missing value of Eurostat: a confidential
// value is suppressed.
func WithoutNumber(flags stat.Flags) stat.Flags {
	if flags.Has(stat.ConfPrefix + "C") {
		return stat.NewFlags(string(flags), "Q")
	}
	return flags
}

// maxLetters is the maximum length of a sequence of Eurostat's letters, including
// spaces and @.
const maxLetters = 12

// Confidentiality returns a code of SDMX CL_CONF_STATUS as a flag; "" is no flag.
func Confidentiality(code string) stat.Flags {
	if code = strings.TrimSpace(code); code == "" {
		return ""
	}
	return stat.NewFlags(stat.ConfPrefix + strings.ReplaceAll(strings.ToUpper(code), " ", "-"))
}
