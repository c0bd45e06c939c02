package nested

import (
	"regexp"
	"strconv"
)

// fromIBGE returns the rows of the aggregates of the IBGE of Brazil, with a field for each of
// their classifications:
//
//	[{"id":"93","variavel":"População","unidade":"Pessoas","resultados":[{"classificacoes":[{"nome":"Sexo","categoria":{"4":"Homens"}}],
//	  "series":[{"localidade":{"id":"35","nome":"São Paulo"},"serie":{"2010":"20077873"}}]}]}]
func fromIBGE(root *node) *node {
	rows, seen := &node{kind: array}, map[string]bool{}
	eachOfIBGE(root, func(_, _, _, value *node) { seen[value.name] = true })
	periodOf := ibgePeriods(seen)
	eachOfIBGE(root, func(variable, result, series, value *node) {
		row := &node{kind: object, at: value.at}
		row.copy(variable, "id", "variavel", "unidade")
		for _, class := range result.find("classificacoes").items() {
			for _, category := range class.find("categoria").fields() {
				row.set(class.find("nome").single(), category.text, value.at)
			}
		}
		row.set("localidade.id", series.find("localidade", "id").single(), value.at)
		row.set("localidade.nome", series.find("localidade", "nome").single(), value.at)
		row.set("period", periodOf(value.name), value.at)
		row.set("value", value.text, value.at)
		rows.values = append(rows.values, row)
	})
	return rows
}

// eachOfIBGE calls a function for each value, with what it is within.
func eachOfIBGE(root *node, use func(variable, result, series, value *node)) {
	for _, variable := range root.items() {
		for _, result := range variable.find("resultados").items() {
			for _, series := range result.find("series").items() {
				for _, value := range series.find("serie").fields() {
					use(variable, result, series, value)
				}
			}
		}
	}
}

// yearAndPart matches a month or quarter: 202304 is April or the fourth quarter.
var yearAndPart = regexp.MustCompile(`^([0-9]{4})(0[1-9]|1[0-2])$`)

// ibgePeriods returns what the names of periods mean. They are quarters if the first one of a
// year follows the fourth of the year before, and none is above four. If all are below five
// and do not tell more, they are no periods.
func ibgePeriods(seen map[string]bool) func(name string) string {
	isMonth, isQuarter := false, false
	for name := range seen {
		if m := yearAndPart.FindStringSubmatch(name); m != nil {
			year, _ := strconv.Atoi(m[1])
			isMonth = isMonth || m[2] > "04"
			isQuarter = isQuarter || m[2] == "04" && seen[strconv.Itoa(year+1)+"01"]
		}
	}
	return func(name string) string {
		m := yearAndPart.FindStringSubmatch(name)
		switch {
		case m == nil || isMonth:
			return name
		case isQuarter:
			return m[1] + "Q" + m[2][1:]
		}
		return name + " (a month or a quarter)"
	}
}
