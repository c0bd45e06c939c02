package request

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// MaxData bounds the body of a request for data, in bytes.
const MaxData = 1 << 20

// ReadQuery returns the query string with the parameters of a JSON object, for [Bind]: a
// member's value is a string, a boolean, an integer, or an array of strings, which repeats the
// parameter. The error is [stat.Invalid] and names the member.
func ReadQuery(body []byte) (string, error) {
	const want = `a JSON object with the parameters, such as {"dim1": ["…", "…"], "country": "…", "period_from": "2015"}`
	members, err := readObject(body)
	if err != nil {
		return "", stat.Errorf(stat.Invalid, "the body %s; it must be %s", err, want)
	}
	var query strings.Builder
	add := func(name, value string) {
		if query.Len() > 0 {
			query.WriteByte('&')
		}
		query.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(value))
	}
	for _, m := range members {
		switch value := m.value.(type) {
		case string:
			add(m.name, value)
		case bool:
			add(m.name, strconv.FormatBool(value))
		case json.Number:
			add(m.name, value.String())
		case []any:
			if len(value) == 0 {
				return "", stat.Errorf(stat.Invalid, "parameter %.60q has an empty array; give a value or leave the parameter out", m.name)
			}
			for _, each := range value {
				text, ok := each.(string)
				if !ok {
					return "", stat.Errorf(stat.Invalid, "parameter %.60q must be an array of strings, but has %s", m.name, describeValue(each))
				}
				add(m.name, text)
			}
		default:
			return "", stat.Errorf(stat.Invalid, "parameter %.60q must be a string or an array of strings, not %s", m.name, describeValue(value))
		}
	}
	return query.String(), nil
}
