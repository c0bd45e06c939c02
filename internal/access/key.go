package access

// Redact takes the secrets out of a text: of each key in it only the prefix and
// the public id stay.
func Redact(text string) string { panic("not yet") }
