// Package columns reads tables of rows and columns (CSV, TSV, a sheet) by a
// [Mapping] that says what the columns mean. The formats of offices that
// publish such tables are mappings and recognisers; package tidy has the
// mapping that a user writes.
package columns
