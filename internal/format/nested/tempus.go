package nested

import (
	"slices"
	"strconv"
	"time"
)

// fromTempus returns the rows of Tempus, the service of the INE of Spain. MetaData has the
// dimensions of a series, of which some are areas:
//
//	[{"COD":"EPA1","Nombre":"Tasa de paro. Hombres. Andalucía",
//	  "MetaData":[{"T3_Variable":"Sexo","Nombre":"Hombres"},{"T3_Variable":"Provincias","Nombre":"Almería","Codigo":"04"}],
//	  "Data":[{"Fecha":1672527600000,"FK_Periodo":19,"Anyo":2023,"Valor":13.2}]}]
//
// Without areas it returns only answers with numbers of periods; others are records that
// tell their periods themselves.
func fromTempus(root *node) *node {
	var dimensions []string
	hasAreas, areAlike := false, true
	for i, series := range root.items() {
		own, area := variables(series)
		if hasAreas = hasAreas || area != nil && area.find("T3_Variable").single() != tempusAreas[0]; i == 0 {
			dimensions = own
		}
		areAlike = areAlike && area != nil && slices.Equal(own, dimensions)
	}
	rows := &node{kind: array}
	for _, series := range root.items() {
		for _, record := range series.find("Data").items() {
			period := tempusPeriod(record)
			if series.find("COD") == nil || period == "" || !hasAreas && record.find("FK_Periodo") == nil {
				return nil
			}
			row := &node{kind: object, at: record.at}
			if !hasAreas || !areAlike {
				row.copy(series, "COD", "Nombre")
			}
			if hasAreas {
				row.describe(series, areAlike)
			}
			row.set("periodo", period, record.at)
			row.copy(record, "Valor")
			if kind := record.find("T3_TipoDato").single(); hasAreas && kind != "" {
				row.set("OBS_STATUS", map[string]string{"Definitivo": "", "Provisional": "P"}[kind], record.at)
			}
			rows.values = append(rows.values, row)
		}
	}
	return rows
}

// tempusAreas are the variables of Tempus that are areas, each within the one before it.
var tempusAreas = []string{"Total Nacional", "Comunidades y Ciudades Autónomas", "Provincias", "Islas", "Municipios"}

// variables returns the names of the dimensions of a series, and the finest of its areas.
func variables(series *node) (names []string, area *node) {
	level := -1
	for _, v := range series.find("MetaData").items() {
		name := v.find("T3_Variable").single()
		if at := slices.Index(tempusAreas, name); at < 0 {
			names = append(names, name)
		} else if at > level {
			area, level = v, at
		}
	}
	return names, area
}

// describe adds the area and the unit of a series, and its other dimensions if all series
// have the same.
func (n *node) describe(series *node, hasDimensions bool) {
	_, area := variables(series)
	n.set("Territorio", area.find("Nombre").single(), n.at)
	for _, v := range series.find("MetaData").items() {
		if name := v.find("T3_Variable").single(); hasDimensions && !slices.Contains(tempusAreas, name) {
			n.set(name, v.find("Nombre").single(), n.at)
		}
	}
	unit, scale := series.find("T3_Unidad").single(), series.find("T3_Escala").single()
	if scale != "" {
		unit += " (" + scale + ")"
	}
	n.set("unidad", unit, n.at)
}

// tempusPeriod returns the period of a record: T3_Periodo has its name, and FK_Periodo is 1 to 12
// for a month, 19 to 22 for a quarter, and 28 for a year. Fecha is its beginning in
// milliseconds.
func tempusPeriod(record *node) string {
	year, name, id := record.find("Anyo").single(), record.find("T3_Periodo").single(), record.find("FK_Periodo").single()
	number, err := strconv.Atoi(id)
	start, startErr := strconv.ParseInt(record.find("Fecha").single(), 10, 64)
	month := int(time.UnixMilli(start).Add(12 * time.Hour).UTC().Month()) // it is midnight in Madrid
	quarter := number - 18
	switch {
	case year == "" || name == "" && id == "":
		return ""
	case name == "A" || number == 28:
		return year
	case name != "":
		return year + name
	case err != nil:
	case number >= 1 && number <= 12:
		return year + "M" + "0"[len(id)-1:] + id
	case quarter >= 1 && quarter <= 4 && startErr == nil && month == 3*quarter-2:
		return year + "T" + strconv.Itoa(quarter)
	}
	return year + " (" + id + ")"
}
