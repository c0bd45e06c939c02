package request

import "almanac/internal/stat"

// MaxAccount bounds the body of a request for an account, in bytes.
const MaxAccount = 4 << 10

// ReadAccount reads the JSON body of a request for an account: an object with
// a name and nothing else. The error is [stat.Invalid].
func ReadAccount(body []byte) (name string, err error) {
	const right = `right is a JSON object such as {"name": "Example newsroom"}`
	members, err := readObject(body)
	if err != nil {
		return "", stat.Errorf(stat.Invalid, "the body %s; %s", err, right)
	}
	for _, m := range members {
		text, ok := m.value.(string)
		switch {
		case m.name != "name":
			return "", stat.Errorf(stat.Invalid, "unknown field %.60q; %s", m.name, right)
		case !ok:
			return "", stat.Errorf(stat.Invalid, "name is %s; %s", nameOf(m.value), right)
		}
		name = text
	}
	if len(members) == 0 {
		return "", stat.Errorf(stat.Invalid, "the body has no name; %s", right)
	}
	return name, nil
}
