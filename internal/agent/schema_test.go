package agent

import (
	"encoding/json"
	"testing"
)

func TestNormalise(t *testing.T) {
	input := schemaOf[dataArgs]()
	for _, c := range []struct{ name, arguments, want string }{
		{"a number for a text", `{"dataset": 24}`, `{"dataset":"24"}`},
		{"one value for a list", `{"areas": "DE"}`, `{"areas":["DE"]}`},
		{"numbers in a list", `{"areas": [276, "FR"]}`, `{"areas":["276","FR"]}`},
		{"one value of a dimension", `{"dimensions": {"sex": "F", "age": ["Y15-24"]}}`, `{"dimensions":{"age":["Y15-24"],"sex":["F"]}}`},
		{"a text for a number", `{"max_rows": "5"}`, `{"max_rows":5}`},
		{"no number", `{"max_rows": "five"}`, `{"max_rows":"five"}`},
		{"null", `{"areas": null}`, `{}`},
		{"an unknown parameter", `{"country": 5}`, `{"country":5}`},
		{"a large number keeps its digits", `{"period": 12345678901234567890}`, `{"period":"12345678901234567890"}`},
		{"no object", `[1]`, `[1]`},
		{"no JSON", `{`, `{`},
	} {
		if got := string(normalise(json.RawMessage(c.arguments), input)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add(`{"dataset": 24, "areas": "DE", "dimensions": {"sex": 1}}`)
	f.Add(`{"areas": [null, [1], {"a": 1e400}]}`)
	input := schemaOf[dataArgs]()
	f.Fuzz(func(t *testing.T, arguments string) {
		once := normalise(json.RawMessage(arguments), input)
		if json.Valid([]byte(arguments)) && !json.Valid(once) {
			t.Fatalf("%q becomes %q", arguments, once)
		}
		if twice := normalise(once, input); string(twice) != string(once) {
			t.Errorf("%q, then %q", once, twice)
		}
	})
}
