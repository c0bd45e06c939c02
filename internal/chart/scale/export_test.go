package scale

// SignOf is signOf, for the tests.
func SignOf(unit string) (prefix, suffix string) {
	s := signOf(unit)
	return s.prefix, s.suffix
}
