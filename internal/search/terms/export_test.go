package terms

// Parse reads files of concepts, weak words and places, for tests of wrong files.
var Parse = parse

// ReadFurther reads a text as that of languages.txt.
func (t *Table) ReadFurther(text string) error { return t.readFurther(text) }
