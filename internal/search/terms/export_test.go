package terms

// Parse reads files of concepts, weak words and places, for tests of wrong files.
var Parse = parse
