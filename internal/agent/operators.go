package agent

import (
	"net/url"
	"slices"
	"strings"
)

// operators are the words before a dimension that select in other ways than by exact values, as in
// parameters of the interface.
var operators = []string{"not.", "like.", "below."}

// areaName is the name of the geography among the dimensions.
const areaName = "area"

// cutOperator splits a name such as like.age; the operator of age is empty.
func cutOperator(name string) (operator, dimension string) {
	for _, operator := range operators {
		if dimension, ok := strings.CutPrefix(name, operator); ok {
			return operator, dimension
		}
	}
	return "", name
}

// addDimensions adds the values of dimensions to the parameters of the data, and returns which of the
// dimensions, by parameter, have a choice. A name that is no dimension is an error, whose next call is
// describe_dataset.
func (s *Selection) addDimensions(of *structure, query url.Values) (isChosen map[string]bool, err error) {
	isChosen = map[string]bool{}
	for name, values := range s.Dimensions {
		d, operator := of.find(name), ""
		if d == nil {
			operator, name = cutOperator(name)
			d = of.find(name)
		}
		if d == nil && (strings.EqualFold(name, areaName) || name == "country" || name == "geo") {
			d = &dimension{Dim: "country", Values: of.Geography}
		}
		if d == nil {
			return nil, errorf("dataset %s has no dimension %q; it has %s; call describe_dataset with {\"dataset\": %q} for their values", s.Dataset, name, of.names(), s.Dataset)
		}
		isChosen[d.Dim] = true
		if operator == "" && slices.Contains(values, "*") {
			continue
		}
		for _, value := range values {
			if operator != "like." {
				value = d.resolve(value)
			}
			query.Add(operator+d.Dim, value)
		}
	}
	return isChosen, nil
}

// areaCode returns the code of the area whose label is its code and a text, such as 01 Stockholm county, else
// the text.
func (of *structure) areaCode(text string) string {
	at := slices.IndexFunc(of.Geography, func(v codeLabel) bool { return strings.EqualFold(v.Label, v.Code+" "+text) })
	if at < 0 {
		return text
	}
	return of.Geography[at].Code
}
