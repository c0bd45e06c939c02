// Package font measures text and turns it into outlines, with fonts that are
// part of the program: never with the machine's.
//
// Latin, Greek and Cyrillic are drawn in Inter, in two weights, and what Inter
// lacks in Noto Sans, in one: Arabic, Hebrew, Armenian, Georgian, the scripts of
// India, Sri Lanka and South-East Asia, Ethiopic, Thaana, Canadian syllabics,
// Tifinagh, the common characters of Chinese, Japanese and Korean, and signs.
// Clean removes from a text what none of them has.
//
// All functions are safe for concurrent use, and the same arguments give the
// same results. None of them panics, whatever the text.
package font
