package nested

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// answers are the answers of servers that say beside their rows what these mean. A function
// returns the rows with all that they need, or nil for a file of another kind.
var answers = []func(*node) *node{fromEStat, fromValet, fromONS, fromTempus, fromSNB, fromSDG, fromIBGE}

// arrange returns the rows of an answer, or the whole file if it is none.
func arrange(root *node) (rows *node, isAnswer bool) {
	for _, rowsOf := range answers {
		if rows := rowsOf(root); rows != nil && len(rows.values) > 0 {
			return rows, true
		}
	}
	return root, false
}

// fromEStat returns the rows of e-Stat, the portal of the statistics of Japan, in JSON or
// XML, like those of its CSV. The codes of each dimension stand in CLASS_INF:
//
//	"CLASS_OBJ":[{"@id":"cat01","@name":"男女別","CLASS":[{"@code":"001","@name":"男"}]}]
//	"VALUE":[{"@cat01":"001","@area":"13000","@time":"2021000000","@unit":"千人","$":"62228"}]
func fromEStat(root *node) *node {
	data := root.find("GET_STATS_DATA", "STATISTICAL_DATA")
	labels, names := map[string]map[string]string{}, map[string]string{} // by dimension
	for _, object := range data.find("CLASS_INF", "CLASS_OBJ").items() {
		id, name := object.attribute("id"), object.attribute("name")
		if labels[id] = map[string]string{}; slices.Contains(slices.Collect(maps.Values(names)), name) {
			name += " (" + id + ")"
		}
		names[id] = name
		for _, class := range object.find("CLASS").items() {
			labels[id][class.attribute("code")] = class.attribute("name")
		}
	}
	rows := &node{kind: array}
	for _, value := range data.find("DATA_INF", "VALUE").items() {
		row := &node{kind: object, at: value.at}
		for _, v := range value.values {
			id := strings.TrimPrefix(v.name, "@")
			switch {
			case names[id] != "":
				row.set(id+"_code", v.text, v.at)
				row.set(names[id], labels[id][v.text], v.at)
			case id == "$", id == "VALUE":
				row.set("value", v.text, v.at)
			default:
				row.set(id, v.text, v.at)
			}
		}
		rows.values = append(rows.values, row)
	}
	return rows
}

// fromValet returns the rows of Valet, the service of the Bank of Canada:
//
//	{"seriesDetail":{"FXUSDCAD":{"label":"USD/CAD"}},"observations":[{"d":"2024-01-02","FXUSDCAD":{"v":"1.33"}}]}
func fromValet(root *node) *node {
	details := root.find("seriesDetail")
	if details == nil {
		return nil
	}
	rows := &node{kind: array}
	for _, observation := range root.find("observations").items() {
		for _, v := range observation.values {
			if series := details.find(v.name); series != nil {
				row := &node{kind: object, at: v.at}
				row.set("d", observation.find("d").single(), v.at)
				row.set("series", v.name, v.at)
				row.set("seriesDetail", cmp.Or(series.find("label").single(), v.name), v.at)
				row.set("value", v.find("v").single(), v.at)
				rows.values = append(rows.values, row)
			}
		}
	}
	return rows
}

// fromONS returns the rows of a time series of the Office for National Statistics, which has a
// list for each frequency:
//
//	{"years":[{"date":"2023","value":"7.3"}],"quarters":[…],"months":[…],"description":{"cdid":"L55O","title":"CPIH","unit":"%"}}
func fromONS(root *node) *node {
	about := root.find("description")
	if about.find("cdid") == nil {
		return nil
	}
	rows := &node{kind: array}
	for _, name := range []string{"years", "quarters", "months"} {
		for _, record := range root.find(name).items() {
			row := &node{kind: object, at: record.at}
			row.copy(record, "date", "value")
			row.copy(about, "cdid", "title", "unit")
			rows.values = append(rows.values, row)
		}
	}
	return rows
}

// fromSNB returns the rows of a cube of the Swiss National Bank, with a field for each of its
// dimensions:
//
//	{"cubeId":"devkum","timeseries":[{"header":[{"dim":"Currency","dimItem":"EUR 1"}],"metadata":{"unit":"CHF"},"values":[{"date":"2024-01","value":0.93}]}]}
func fromSNB(root *node) *node {
	if root.find("cubeId") == nil {
		return nil
	}
	rows := &node{kind: array}
	for _, series := range root.find("timeseries").items() {
		for _, record := range series.find("values").items() {
			row := &node{kind: object, at: record.at}
			row.copy(root, "cubeId")
			for _, header := range series.find("header").items() {
				row.set(header.find("dim").single(), header.find("dimItem").single(), record.at)
			}
			row.copy(series.find("metadata"), "unit", "scale")
			row.copy(record, "date", "value")
			rows.values = append(rows.values, row)
		}
	}
	return rows
}

// fromSDG returns the rows of the API of the Sustainable Development Goals:
//
//	{"data":[{"series":"SI_POV_DAY1","geoAreaCode":"268","timePeriodStart":2010.0,"value":"12.1","dimensions":{"Sex":"MALE"},"attributes":{"Units":"PERCENT"}}]}
func fromSDG(root *node) *node {
	rows := &node{kind: array}
	for _, record := range root.find("data").items() {
		start := record.find("timePeriodStart")
		if start == nil || record.find("geoAreaCode") == nil {
			return nil
		}
		row := &node{kind: object, at: record.at}
		row.copy(record, "series", "seriesDescription", "geoAreaCode", "geoAreaName")
		row.set("TimePeriod", strings.TrimSuffix(start.single(), ".0"), start.at)
		row.copy(record, "value", "upperBound", "lowerBound")
		row.copy(record.find("attributes"), "Units")
		if about := record.find("dimensions"); about != nil {
			row.values = append(row.values, about.values...)
		}
		rows.values = append(rows.values, row)
	}
	return rows
}

// copy adds single values of another object.
func (n *node) copy(from *node, names ...string) {
	for _, name := range names {
		if v := from.find(name); v != nil && v.kind == single {
			n.set(name, v.text, v.at)
		}
	}
}
