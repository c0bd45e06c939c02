package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the length of the longest message that is read, in bytes.
const maxLine = 4 << 20

// messages passes on the lines of standard input that are messages of JSON-RPC, and answers the others with an error,
// so that one of them does not end the calls under way. It implements [io.ReadCloser].
type messages struct {
	lines *bufio.Reader
	in    io.Closer
	out   io.Writer
	rest  []byte // of the line that is passed on
}

func newMessages(in io.ReadCloser, out io.Writer) *messages {
	return &messages{lines: bufio.NewReaderSize(in, 64<<10), in: in, out: out}
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.readLine()
		switch text := bytes.TrimSpace(line); {
		case err != nil && !errors.Is(err, io.EOF) || err != nil && len(text) == 0:
			return 0, err
		case len(text) == 0:
		case len(line) > maxLine:
			err = m.refuse(jsonrpc.CodeInvalidRequest, "the message is too long")
		case !json.Valid(text):
			err = m.refuse(jsonrpc.CodeParseError, "the line is not JSON; a message is one line of JSON")
		case text[0] != '[' && !isMessage(text):
			err = m.refuse(jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC 2.0")
		default:
			m.rest = append(text, '\n')
			continue
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// readLine returns the next line; of one that is too long only the beginning, which is longer than maxLine.
func (m *messages) readLine() (line []byte, err error) {
	for {
		part, err := m.lines.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func isMessage(text []byte) bool {
	_, err := jsonrpc.DecodeMessage(text)
	return err == nil
}

// refuse answers a line whose id cannot be known.
func (m *messages) refuse(code int, message string) error {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message}})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(text, '\n'))
	return err
}

func (m *messages) Close() error { return m.in.Close() }

// whole writes each message as a whole, also if two are written at the same time.
type whole struct {
	io.WriteCloser
	writing sync.Mutex
}

func (w *whole) Write(message []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	return w.WriteCloser.Write(message)
}
