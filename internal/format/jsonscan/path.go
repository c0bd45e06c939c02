package jsonscan

// HasPath reports whether the beginning of a file has a value of
// which is says so: by the names on the way to it, empty for what stands in an
// array, and by its text, if it is one.
func HasPath(head []byte, is func(path []string, text []byte) bool) bool {
	j, ok := Head(head, Object)
	if !ok {
		return false
	}
	var path []string // of what is open
	name := ""        // of the next value
	for {
		token, err := j.Next()
		if err != nil {
			return false
		}
		switch token.Kind {
		case Name:
			name = string(token.Text)
			continue
		case ObjectEnd, ArrayEnd:
			if len(path) == 0 {
				return false
			}
			path = path[:len(path)-1]
			continue
		}
		if is(append(path, name), token.Text) {
			return true
		}
		if token.Kind == Object || token.Kind == Array {
			path = append(path, name)
		}
		name = ""
	}
}
