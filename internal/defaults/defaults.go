// Package defaults chooses what a reader sees when nothing was chosen: the code of each
// dimension, and the latest period that is worth showing. All functions are pure: they
// depend on the structure of a dataset and on counts of its observations.
//
// The rules are those of a careful editor, in this order: what a curator set; what the
// table of well-known datasets says ([LookUp]); the office's own total; labels, codes and
// ranges that mean everything; the unit that the title speaks of; and among equals the
// one with the most areas.
package defaults
