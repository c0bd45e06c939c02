package scale

// SignOf exports signOf to the tests.
func SignOf(unit string) (prefix, suffix string) {
	s := signOf(unit)
	return s.prefix, s.suffix
}
