package agent

import (
	"fmt"
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
			if parts := partsOf(value, d.has); parts != nil {
				return nil, errorf("dimension %s takes a list with one value each: [%s], not %q", name, strings.Join(parts, ", "), value)
			}
			if operator != "like." {
				value = of.resolve(d, value)
			}
			query.Add(operator+d.Dim, value)
		}
	}
	return isChosen, nil
}

// has reports whether a text is the code or label of a value.
func (d *dimension) has(text string) bool {
	return slices.ContainsFunc(d.Values, func(v codeLabel) bool { return v.isCalled(text) })
}

// areaCode returns the code of the area whose label is its code and a text, such as 01 Stockholm county, else
// the text. A text that is itself a label or code of the dataset stands for that area, as in the JSON interface.
func (of *structure) areaCode(text string) string {
	if of.isExact(text) {
		return text
	}
	named := of.withNameAfterCode(text)
	if len(named) == 0 {
		return text
	}
	return named[0].Code
}

// isExact reports whether a text is a code or label of an area of the dataset, in any case.
func (of *structure) isExact(text string) bool {
	return slices.ContainsFunc(of.Geography, func(v codeLabel) bool {
		return v.isCalled(text) || strings.EqualFold(v.ISO, text)
	})
}

// withNameAfterCode returns the areas whose labels are their codes and a text.
func (of *structure) withNameAfterCode(text string) (named []codeLabel) {
	for _, v := range of.Geography {
		if strings.EqualFold(v.Label, v.Code+" "+text) {
			named = append(named, v)
		}
	}
	return named
}

// sameNamed returns what is to be said of the areas whose labels are their codes and the name of another area
// that is asked for: SK011 Helsinki beside Helsinki.
func (of *structure) sameNamed(areas []string) (texts []string) {
	for _, area := range areas {
		code, named := of.areaCode(area), of.withNameAfterCode(area)
		for _, v := range named {
			if v.Code != code {
				texts = append(texts, fmt.Sprintf("%q is read as the area with this name; the dataset also has %s", area, withCode(v.Label, v.Code)))
			}
		}
	}
	return texts
}
