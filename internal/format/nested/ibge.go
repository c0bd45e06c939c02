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
	rows, periodOf := &node{kind: array}, ibgePeriods(root)
	for _, variable := range root.items() {
		for _, result := range variable.find("resultados").items() {
			for _, series := range result.find("series").items() {
				for _, value := range series.find("serie").fields() {
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
				}
			}
		}
	}
	return rows
}

// yearAndPart matches a month or quarter: 202304 is April or the fourth quarter.
var yearAndPart = regexp.MustCompile(`^([0-9]{4})(0[1-9]|1[0-2])$`)

// ibgePeriods returns what the names of periods mean. They are quarters if the first one of a
// year follows the fourth of the year before, and none is above four. If all are below five
// and do not tell more, they are no periods.
func ibgePeriods(root *node) func(name string) string {
	seen, isMonth, isQuarter := map[string]bool{}, false, false
	for _, variable := range root.items() {
		for _, result := range variable.find("resultados").items() {
			for _, series := range result.find("series").items() {
				for _, value := range series.find("serie").fields() {
					seen[value.name] = true
				}
			}
		}
	}
	for name := range seen {
		m := yearAndPart.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		year, _ := strconv.Atoi(m[1])
		isMonth = isMonth || m[2] > "04"
		isQuarter = isQuarter || m[2] == "04" && seen[strconv.Itoa(year+1)+"01"]
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
