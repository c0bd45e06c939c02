// Package json writes datasets and extracts as JSON. Responses may have millions of
// numbers, so it appends them from the columns of the store to a buffer, without
// encoding/json.
package json

// ChunkSize is the number of bytes that are encoded before they are sent.
const ChunkSize = 64 << 10

// Writer encodes a response of any length in bounded memory. Encoders append to Buf and
// call [Writer.Flush] between rows. Send must be set. A Writer can be reused after Buf is
// emptied.
type Writer struct {
	// Buf has the bytes that are encoded and not yet sent.
	Buf []byte
	// Send sends Buf when it holds a chunk, and empties it.
	Send func() error

	series seriesEncoder // memory to reuse
}

// Flush sends Buf if it fills a chunk. The encoder returns its error.
func (w *Writer) Flush() error {
	if len(w.Buf) < ChunkSize {
		return nil
	}
	return w.Send()
}
