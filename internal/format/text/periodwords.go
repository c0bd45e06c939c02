package text

import (
	"strings"
	"sync"

	"almanac/internal/stat"
)

// itemKind is what a part of a text means where the text is a period.
type itemKind byte

// The kinds of items. Their letters form the pattern by which a period is read.
const (
	itemYear   itemKind = 'Y' // four digits
	itemNumber itemKind = 'N' // one or two digits
	itemDigits itemKind = 'D' // other digits
	itemRoman  itemKind = 'R'
	itemMonth  itemKind = 'M' // the name of a month
	itemPart   itemKind = 'P' // a word for a part of the year
	itemAnnual itemKind = 'A' // a word for the year
	itemFiscal itemKind = 'F' // a word for a year that is not the calendar year
	itemDay    itemKind = 'd' // 日
	itemFill   itemKind = ' ' // a word without a meaning of its own: "of"
)

// periodWord is what a word within a period means.
type periodWord struct {
	kind      itemKind
	frequency stat.Frequency // of itemPart
	number    int            // of a word that includes it: 上半年, 元
	era       int            // of a Japanese era: the year before its first
}

// periodWords lists the words by their meaning, folded.
var periodWords = []struct {
	means periodWord
	words string
}{
	{periodWord{kind: itemPart, frequency: stat.Quarter}, `q qtr quart quarter quartal trimestre trimester trim trimestrul t kvartal kvartalet kv kvt k kwartaal
		kwartał kwart negyedev nev čtvrtleti ctvrtleti stvrtrok ketvirtis ketv ceturksnis cet neljannes nelj тримесечие трим тримесечје квартал квартала квартали
		кв τριμηνο τρ ceyrek четвртина cetrtletje tromjesecje tromesecje fjorðungur arsfjorðungur trimester kuartal kvartals 四半期 季度 季 분기`},
	{periodWord{kind: itemPart, frequency: stat.HalfYear}, `h s semester semestre semestar halbjahr halbj hj half halvar halvaar połrocze połrocza felev pololeti polrok
		полугодие полугодия півріччя полугодиште polugodiste semestrul 半期 半年 반기`},
	{periodWord{kind: itemPart, frequency: stat.Month}, `m month monat mois mes mese maand mm maned manad manuður miesiac mesic mesiac mesec mjesec honap kuukausi menuo menesis manuður месец μηνας месяц місяць 月份 月 월`},
	{periodWord{kind: itemPart, frequency: stat.Week}, `w week woche semaine semana settimana uke uge vecka viikko tydzien het tyden v u 周 週`},
	{periodWord{kind: itemPart, frequency: 0}, `kw`}, // a quarter in Dutch, a week in German
	{periodWord{kind: itemPart, frequency: stat.HalfYear, number: 1}, `上半年 上半期`},
	{periodWord{kind: itemPart, frequency: stat.HalfYear, number: 2}, `下半年 下半期`},
	{periodWord{kind: itemPart, frequency: stat.Annual}, `jj a`},
	{periodWord{kind: itemAnnual}, `y yr year years jahr annee an ano anno any ev rok roku r god godina god. g г год года році рік року р metai metu gads gada
		aasta vuosi ar anul annul jaar yıl yili yılı ετος 年 년`},
	{periodWord{kind: itemFiscal}, `fy fiscal fyear fye financial sj 年度 회계연도`},
	{periodWord{kind: itemDay}, `日 일`},
	{periodWord{kind: itemFill}, `of de del della d e er ere re eme nd st rd th the o a. al lea no nº ii-lea el le la й и ий ой je ni i̇ til thg thang quy 第 제 現在`},
	{periodWord{kind: itemNumber, number: 1}, `一 first erstes premier primer primo первыи первый`},
	{periodWord{kind: itemNumber, number: 2}, `二 second zweites deuxieme segundo secondo второи второй`},
	{periodWord{kind: itemNumber, number: 3}, `三 third drittes troisieme tercer terzo третии третий`},
	{periodWord{kind: itemNumber, number: 4}, `四 fourth viertes quatrieme cuarto quarto четвертыи четвёртый четвертый`},
	{periodWord{kind: itemAnnual, era: 1867}, `明治`},
	{periodWord{kind: itemAnnual, era: 1911}, `大正`},
	{periodWord{kind: itemAnnual, era: 1925}, `昭和`},
	{periodWord{kind: itemAnnual, era: 1988}, `平成`},
	{periodWord{kind: itemAnnual, era: 2018}, `令和`},
	{periodWord{kind: itemNumber, number: 1}, `元`},
}

// foldedWords returns the words by their folded text.
var foldedWords = sync.OnceValue(func() map[string]periodWord {
	words := map[string]periodWord{}
	for _, list := range periodWords {
		for _, w := range strings.Fields(list.words) {
			words[foldText(w)] = list.means
		}
	}
	return words
})

// romans are the Roman numerals of quarters and months.
var romans = map[string]int{
	"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12,
}
