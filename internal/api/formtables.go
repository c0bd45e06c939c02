package api

import (
	"almanac/internal/encode"
	"almanac/internal/encode/parquet"
	"almanac/internal/encode/xlsx"
	"almanac/internal/request"
)

var parquetForm = form{
	extension: "parquet", name: "Parquet", mediaType: "application/vnd.apache.parquet", isBinary: true, isPacked: true,
	params: request.Params[request.Parquet](), write: parquet.Write,
	bind: func(query string) (request.Data, encode.Options, error) {
		var p request.Parquet
		if err := request.Bind(query, &p); err != nil {
			return p.Data, encode.Options{}, err
		}
		o, err := p.Options()
		return p.Data, o, err
	},
}

var xlsxForm = form{
	extension: "xlsx", name: "an Excel workbook", mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", isBinary: true, isPacked: true,
	params: request.Params[request.XLSX](), write: xlsx.Write,
	bind: func(query string) (request.Data, encode.Options, error) {
		var p request.XLSX
		if err := request.Bind(query, &p); err != nil {
			return p.Data, encode.Options{}, err
		}
		o, err := p.Options()
		return p.Data, o, err
	},
}
