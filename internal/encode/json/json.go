// Package json writes datasets and extracts as JSON, straight from the columns
// of the store. An answer of a million numbers is made of little else, so it
// appends to a buffer instead of using encoding/json; fuzz tests hold what it
// writes against encoding/json's decoder.
package json

// ChunkSize is how much is encoded before it is sent on.
const ChunkSize = 64 << 10

// Writer encodes an answer of any length in bounded memory. Encoders append to
// Buf and call [Writer.Flush] between rows. The zero Writer needs a Send. A Writer
// may be used again for another answer when Buf is emptied.
type Writer struct {
	// Buf is what is encoded and not yet sent.
	Buf []byte
	// Send takes Buf when it holds a chunk, and empties it.
	Send func() error

	series seriesEncoder // memory to reuse
}

// Flush sends what is encoded if it fills a chunk. The encoder ends with its error.
func (w *Writer) Flush() error {
	if len(w.Buf) < ChunkSize {
		return nil
	}
	return w.Send()
}
