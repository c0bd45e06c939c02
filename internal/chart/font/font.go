// Package font measures text and converts it to outlines. It uses embedded fonts only,
// never those of the machine.
//
// Latin, Greek and Cyrillic are drawn in Inter, in two weights. Other scripts are drawn
// in Noto Sans, thickened for bold text: Arabic, Hebrew, Armenian, Georgian, the scripts of
// India, Sri Lanka and South-East Asia, Ethiopic, Thaana, Canadian syllabics, Tifinagh,
// the common characters of Chinese, Japanese and Korean, and signs. Clean removes
// characters that no font has.
//
// All functions are safe for concurrent use, and the same arguments give the same
// results. None of them panics on any text.
package font
