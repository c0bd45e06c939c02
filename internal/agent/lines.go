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
// so that one of them does not end the calls under way. It reports the end of the input only after the answers to all
// messages are written, because the server cancels what is under way when its input ends. It implements [io.ReadCloser].
type messages struct {
	lines *bufio.Reader
	in    io.Closer
	out   *whole
	rest  []byte // of the line that is passed on
}

func newMessages(in io.ReadCloser, out *whole) *messages {
	return &messages{lines: bufio.NewReaderSize(in, 64<<10), in: in, out: out}
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.readLine()
		switch text := bytes.TrimSpace(line); {
		case err != nil && !errors.Is(err, io.EOF):
			return 0, err
		case err != nil && len(text) == 0:
			m.out.waitForAnswers()
			return 0, err
		case len(text) == 0:
		case len(line) > maxLine:
			err = m.refuse(jsonrpc.CodeInvalidRequest, "the message is too long")
		case !json.Valid(text):
			err = m.refuse(jsonrpc.CodeParseError, "the line is not JSON; a message is one line of JSON")
		case text[0] != '[' && !isMessage(text):
			err = m.refuse(jsonrpc.CodeInvalidRequest, "the line is not a message of JSON-RPC 2.0")
		default:
			if wantsAnswer(text) {
				m.out.expect(1)
			}
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
	m.out.expect(1)
	_, err = m.out.Write(append(text, '\n'))
	return err
}

// Close ends the input without waiting for answers.
func (m *messages) Close() error {
	m.out.giveUp()
	return m.in.Close()
}

// wantsAnswer reports whether a message is a call. The server answers a list of messages with one message, but only if all of
// them are calls.
func wantsAnswer(text []byte) bool {
	var list []json.RawMessage
	if text[0] != '[' {
		list = append(list, text)
	} else if json.Unmarshal(text, &list) != nil {
		return false
	}
	for _, one := range list {
		message, err := jsonrpc.DecodeMessage(one)
		if call, isRequest := message.(*jsonrpc.Request); err != nil || !isRequest || !call.IsCall() {
			return false
		}
	}
	return len(list) > 0
}

// isAnswer reports whether a written message answers a call, or a list of calls.
func isAnswer(text []byte) bool {
	if bytes.HasPrefix(text, []byte("[")) {
		return true
	}
	message, err := jsonrpc.DecodeMessage(bytes.TrimSpace(text))
	_, is := message.(*jsonrpc.Response)
	return err != nil || is
}

// whole writes each message as a whole, also if two are written at the same time, and knows how many answers are to come.
type whole struct {
	io.WriteCloser
	writing sync.Mutex

	counting sync.Mutex
	expected int           // answers that are not written yet
	answered chan struct{} // closed when none is expected any more; nil: nobody waits
	isOver   bool          // no more answers are written
}

func (w *whole) Write(message []byte) (int, error) {
	w.writing.Lock()
	n, err := w.WriteCloser.Write(message)
	w.writing.Unlock()
	if err != nil {
		w.giveUp()
	} else if isAnswer(message) {
		w.expect(-1)
	}
	return n, err
}

// expect changes the number of expected answers.
func (w *whole) expect(more int) {
	w.counting.Lock()
	defer w.counting.Unlock()
	w.expected += more
	w.tell()
}

// giveUp expects no answers any more.
func (w *whole) giveUp() {
	w.counting.Lock()
	defer w.counting.Unlock()
	w.isOver = true
	w.tell()
}

func (w *whole) tell() {
	if w.answered != nil && (w.isOver || w.expected <= 0) {
		close(w.answered)
		w.answered = nil
	}
}

// waitForAnswers returns when all expected answers are written.
func (w *whole) waitForAnswers() {
	w.counting.Lock()
	done := make(chan struct{})
	w.answered = done
	w.tell()
	w.counting.Unlock()
	<-done
}
