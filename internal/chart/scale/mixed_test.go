package scale

import "testing"

// Values in one picture have one power, if most would not fit a larger one.
func TestOnePower(t *testing.T) {
	n := NumbersFor([]float64{1378665000, 323127513, 102403196, 95688681, 51245707}, Unit{})
	for v, want := range map[float64]string{1378665000: "1,379 million", 51245707: "51 million"} {
		if got := n.Write(v); got != want {
			t.Errorf("%g: %s; want %s", v, got, want)
		}
	}
}
