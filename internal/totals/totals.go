// Package totals knows the words with which statistical offices say "everything": total,
// all, both sexes.
package totals

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sums are words for a sum, in lower case. They also stand before or after the name of what
// is added up: "Total Nacional", "Bund insgesamt", "Varer i alt".
var Sums = list("total,totals,totale,totales,totaal,totalt,totaux,insgesamt,gesamt,zusammen,ensemble,i alt,ialt,alt,yhteensä,kokku,kopā,viso,iš viso," +
	"ogółem,łącznie,razem,celkem,spolu,skupaj,ukupno,svega,összesen,össz.,együtt,всего,итого,усього,разом,общо,вкупно,σύνολο,toplam,jami,jumlah," +
	"المجموع,الإجمالي,جملة,总计,总数,总,合计,總計,總數,合計,総数,総計,計,全体,합계,계,전체,총계")

// alls are words for all of something, in lower case: "All activities".
var alls = list("all,both,alle,tous,toutes,todos,todas,tutti,tutte,ambos,samtliga,samtlige,kaikki,wszystkie,toda")

// phrases are labels of several words, and codes, that mean everything, in lower case.
var phrases = list("grand total,both sexes,both genders,both sexes total,all persons,all ages,all age groups,everyone,male and female,males and females,men and women," +
	"women and men,persons and sexes,mf,m+f,total population,_t,sex_t,sex_btsx,btsx,beide geschlechter,männer und frauen,männlich und weiblich,alle altersgruppen," +
	"les deux sexes,hommes et femmes,femmes et hommes,tous âges,tous les âges,total general,total nacional,ambos sexos,hombres y mujeres,todas las edades,todas as idades," +
	"homens e mulheres,in totale,maschi e femmine,uomini e donne,tutte le età,mannen en vrouwen,alle leeftijden,båda könen,begge kjønn,begge køn,menn og kvinner," +
	"kvinner og menn,mænd og kvinder,män och kvinnor,kvinnor och män,alla åldrar,miehet ja naiset,mehed ja naised,sukupuolet yhteensä,mężczyźni i kobiety,obě pohlaví," +
	"férfiak és nők,ambele sexe,оба пола,обидві статі,男女計,男女合計,남녀전체")

func list(text string) []string { return strings.Split(text, ",") }

var isTotal = func() map[string]bool {
	set := map[string]bool{}
	for _, words := range [][]string{Sums, alls, phrases} {
		for _, w := range words {
			set[w] = true
		}
	}
	return set
}()

// Is reports whether a label means everything. Capitals do not matter.
func Is(label string) bool { return isTotal[strings.ToLower(strings.TrimSpace(label))] }

// Begins reports whether a label in lower case begins with a word for everything: "total -
// all activities".
func Begins(label string) bool {
	return label != "" && slices.ContainsFunc(byFirst[label[0]], func(word string) bool {
		rest, ok := strings.CutPrefix(label, word)
		first, _ := utf8.DecodeRuneInString(rest)
		return ok && !unicode.IsLetter(first)
	})
}

// Ends reports whether a label in lower case ends with a word for everything: "varer i alt".
func Ends(label string) bool {
	return label != "" && slices.ContainsFunc(byLast[label[len(label)-1]], func(word string) bool {
		rest, ok := strings.CutSuffix(label, word)
		last, _ := utf8.DecodeLastRuneInString(rest)
		return ok && !unicode.IsLetter(last)
	})
}

// byFirst and byLast are the words by their first and last byte.
var byFirst, byLast = func() (first, last map[byte][]string) {
	first, last = map[byte][]string{}, map[byte][]string{}
	for _, w := range slices.Concat(Sums, alls) {
		first[w[0]] = append(first[w[0]], w)
		last[w[len(w)-1]] = append(last[w[len(w)-1]], w)
	}
	return first, last
}()
