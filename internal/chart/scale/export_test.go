package scale

// SignOf exports signOf to the tests.
func SignOf(unit string) (prefix, suffix string) {
	s := signOf(unit)
	return s.prefix, s.suffix
}

// Exact exports exact to the tests.
func Exact(m int64, e int) float64 { return exact(m, e) }
