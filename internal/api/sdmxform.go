package api

import (
	"io"

	"almanac/internal/encode"
	"almanac/internal/encode/sdmx"
	"almanac/internal/encode/sdmx/csv"
	"almanac/internal/encode/sdmx/json"
	"almanac/internal/encode/sdmx/ml"
	"almanac/internal/request"
)

// The forms of SDMX at the addresses of data: SDMX-CSV 2.0, SDMX-JSON 2.0 and structure-specific
// SDMX-ML 2.1, as from the SDMX REST API.
var (
	sdmxCSVForm  = sdmxForm("sdmx.csv", "SDMX-CSV", "application/vnd.sdmx.data+csv;version=2.0.0", true, csv.Write)
	sdmxJSONForm = sdmxForm("sdmx.json", "SDMX-JSON", "application/vnd.sdmx.data+json;version=2.0.0", true, json.Write)
	sdmxMLForm   = sdmxForm("sdmx.xml", "SDMX-ML", "application/vnd.sdmx.structurespecificdata+xml;version=2.1", false, ml.WriteSpecific)
)

func sdmxForm(extension, name, mediaType string, isV3 bool, write func(io.Writer, *sdmx.Message) error) form {
	return form{
		extension: extension, name: name, mediaType: mediaType, params: request.Params[request.File](),
		bind: func(query string) (request.Data, encode.Options, error) {
			var p request.File
			err := request.Bind(query, &p)
			return p.Data, encode.Options{}, err
		},
		write: func(w io.Writer, t *encode.Table, _ encode.Options) error {
			m := sdmx.NewMessage(t)
			m.IsV3 = isV3
			return write(w, m)
		},
	}
}
