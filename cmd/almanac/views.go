package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/store/blob"
)

// viewsCmd is `almanac views`.
type viewsCmd struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	services
	DuckDB bool `name:"duckdb" required:"" help:"In the SQL of DuckDB."`
}

// Run prints SQL that makes the datasets of a store views of a database: main.datasets lists them,
// and each is a view in a schema with the name of its source, over the file of its current vintage.
func (c *viewsCmd) Run(ctx context.Context, atExit *cleanups, out streams) error {
	s, err := openStore(ctx, atExit, c.in(c.Data))
	if err != nil {
		return err
	}
	entries := s.Catalog().Entries
	if len(entries) == 0 {
		return fmt.Errorf("the store in %s has no datasets; almanac import %s FILE adds some", c.Data, flagText("--data", c.Data))
	}
	var rows, views strings.Builder
	for i, e := range entries {
		v, err := s.Vintage(ctx, e.ID)
		if err != nil {
			return err
		}
		file := v.Address()
		if i > 0 {
			rows.WriteString(",\n")
		}
		writeDuckDBRow(&rows, v, file)
		writeDuckDBView(&views, v.Dataset, file)
	}
	settings, err := duckDBSettings(c.Blobs)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out.stdout, duckDBHead, settings, rows.String(), views.String())
	return err
}

// duckDBSettings returns the SQL after which DuckDB reads the files in an object store, "" if they are
// in no such place.
func duckDBSettings(blobs string) (string, error) {
	if blobs == "" {
		return "", nil
	}
	place, err := blob.ParsePlace(blobs)
	if err != nil {
		return "", err
	}
	settings := `
-- The files are in an object store. DuckDB takes its key from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
-- These settings last for a session.
INSTALL httpfs;
LOAD httpfs;
`
	if region := place.Region(); region != "" {
		settings += "SET s3_region = " + sqlText(region) + ";\n"
	}
	if host, isSecure := place.Endpoint(); host != "" {
		settings += fmt.Sprintf("SET s3_endpoint = %s;\nSET s3_url_style = 'path';\nSET s3_use_ssl = %t;\n", sqlText(host), isSecure)
	}
	return settings, nil
}

// duckDBHead is formatted with the settings, the rows of main.datasets and the views of the datasets.
const duckDBHead = `-- The datasets of a store of Almanac as views of DuckDB. They read the files of the vintages that
-- were current when this was printed.
%s
-- almanac_codes returns the codes of a dimension from the structure that each file has in its metadata.
CREATE OR REPLACE MACRO main.almanac_codes(file, dimension) AS TABLE
SELECT code->>'id' AS id, code->>'label' AS label, code->>'area' AS area
FROM (
	SELECT unnest(CAST(json_extract(decode(value), dimension || '.codes[*]') AS JSON[])) AS code
	FROM parquet_kv_metadata(file)
	WHERE decode(key) = 'almanac.dataset'
);

CREATE OR REPLACE VIEW main.datasets AS
SELECT * FROM (VALUES
%s
) AS datasets(id, source, code, name, version, updated, series, observations, unit, licence, attribution, file);
%s`

// writeDuckDBRow writes what main.datasets has of a dataset.
func writeDuckDBRow(w io.Writer, v *store.Vintage, file string) {
	d := v.Dataset
	fmt.Fprintf(w, "\t(%d, %s, %s, %s, %s, TIMESTAMP '%s', %d, %d, %s, %s, %s, %s)",
		d.ID, sqlText(d.Source.ID), sqlText(d.Code), sqlText(d.Name), sqlText(v.Version), v.LastUpdate.UTC().Format("2006-01-02 15:04:05"),
		v.Series, v.Observations, sqlTextOrNull(d.Unit), sqlTextOrNull(d.Licence), sqlTextOrNull(d.Attribution), sqlText(file))
}

// writeDuckDBView writes the view of a dataset: each dimension with the labels of its codes, the
// geography also with the ISO code of the area, then the other columns of the file.
func writeDuckDBView(w io.Writer, d *stat.Dataset, file string) {
	var columns, joins, dimensions []string
	add := func(id, path string) string {
		alias := fmt.Sprintf("codes%d", len(joins)+1)
		columns = append(columns, "data."+sqlName(id), alias+".label AS "+sqlName(id+"_label"))
		joins = append(joins, fmt.Sprintf("LEFT JOIN main.almanac_codes(%s, %s) AS %s ON %[3]s.id = data.%s", sqlText(file), sqlText(path), alias, sqlName(id)))
		dimensions = append(dimensions, sqlName(id))
		return alias
	}
	for i := range d.Dimensions {
		add(d.Dimensions[i].ID, fmt.Sprintf("$.dimensions[%d]", i))
	}
	if !d.HasNoArea() {
		columns = append(columns, add(d.Geography.ID, "$.geography")+".area AS "+sqlName(d.Geography.ID+"_area"))
	}
	fmt.Fprintf(w, `
CREATE SCHEMA IF NOT EXISTS %s;
CREATE OR REPLACE VIEW %[1]s.%s AS
SELECT %s, data.* EXCLUDE (%s)
FROM read_parquet(%s) AS data
%s;
`, sqlName(d.Source.ID), sqlName(d.Code), strings.Join(columns, ", "), strings.Join(dimensions, ", "), sqlText(file), strings.Join(joins, "\n"))
}

// sqlName returns a name as SQL quotes it.
func sqlName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// sqlText returns a text as SQL quotes it.
func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func sqlTextOrNull(s string) string {
	if s == "" {
		return "NULL"
	}
	return sqlText(s)
}
