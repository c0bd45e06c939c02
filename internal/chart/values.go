package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"almanac/internal/stat"
)

// Values are numbers. NaN means no value; JSON has it as null.
type Values []float64

// MarshalJSON writes the numbers in their shortest form, as package json does.
func (v Values) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

func (v Values) appendJSON(buf []byte) []byte {
	buf = append(slices.Grow(buf, 8*len(v)+2), '[')
	for i, value := range v {
		if i > 0 {
			buf = append(buf, ',')
		}
		switch size := math.Abs(value); {
		case math.IsNaN(value):
			buf = append(buf, "null"...)
		case size >= 1e-6 && size < 1e21 || size == 0:
			buf = strconv.AppendFloat(buf, value, 'f', -1, 64)
		default: // with an exponent, or infinite
			text, err := json.Marshal(value)
			if err != nil {
				panic(fmt.Sprintf("chart: cannot encode %v as JSON", value)) // cannot happen: New rejects infinite values
			}
			buf = append(buf, text...)
		}
	}
	return append(buf, ']')
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Values) UnmarshalJSON(text []byte) error {
	var list []*float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*v = make(Values, len(list))
	for i, p := range list {
		(*v)[i] = math.NaN()
		if p != nil {
			(*v)[i] = *p
		}
	}
	return nil
}

// Periods are positions along time.
type Periods []stat.Period

// MarshalJSON writes the periods as texts, without a call of package json for each.
func (p Periods) MarshalJSON() ([]byte, error) { return p.appendJSON(nil), nil }

func (p Periods) appendJSON(buf []byte) []byte {
	if p == nil {
		return append(buf, "null"...)
	}
	buf = append(slices.Grow(buf, 13*len(p)+2), '[')
	for i, period := range p {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf, _ = period.AppendText(append(buf, '"'))
		buf = append(buf, '"')
	}
	return append(buf, ']')
}
