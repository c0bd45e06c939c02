package api

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
)

// NewListener wraps the listener of a server for an [API]. net/http rejects malformed
// requests, such as those with a raw space or too long headers, in plain text before
// any handler sees them. A wrapped listener turns these responses into error objects. It
// also sends a response of known length in one call of the system where net/http makes two.
func NewListener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return &conn{TCPConn: tcp}, err
	}
	return c, err
}

// conn replaces plain text errors by error objects, and joins the first bytes of a response
// to the next. It embeds the TCP connection so that the kernel can still copy files to it.
type conn struct {
	*net.TCPConn
	held  []byte // accepted by Write and not sent yet, because more follows at once
	parts [2][]byte
}

// serverBuffer is the size of the buffer of net/http for a connection, in bytes. It sends a
// buffer that is full, although the rest of the response is there already.
const serverBuffer = 4 << 10

// plainError matches an error response of net/http's server, which is one write.
var plainError = regexp.MustCompile(`^HTTP/1\.1 (\d{3}) ([^\r\n]*)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n(.*)$`)

// maxPlainError is larger than any of these responses, in bytes.
const maxPlainError = 512

func (c *conn) Write(b []byte) (int, error) {
	if len(c.held) > 0 {
		return c.writeHeld(b)
	}
	if len(b) == serverBuffer && moreFollows(b) {
		c.held = append(c.held, b...)
		return len(b), nil
	}
	response := b
	switch {
	case len(b) > maxPlainError:
	case bytes.HasPrefix(b, []byte("HTTP/1.1 417 ")) && bytes.Contains(b, []byte("\r\nContent-Length: 0\r\n")):
		response = errorResponse(417, "Expectation Failed", "the header Expect is not supported with this value; it must be 100-continue or absent")
	case bytes.Contains(b, []byte("\r\nContent-Type: text/plain")):
		if found := plainError.FindSubmatch(b); found != nil {
			status, _ := strconv.Atoi(string(found[1]))
			response = errorResponse(status, string(found[2]), string(found[3]))
		}
	}
	n, err := c.TCPConn.Write(response)
	if err == nil {
		n = len(b) // the server expects all of b to be written
	}
	return min(n, len(b)), err
}

// writeHeld sends what is held and then b. The result counts b only.
func (c *conn) writeHeld(b []byte) (int, error) {
	held := len(c.held)
	c.parts = [2][]byte{c.held, b}
	buffers := net.Buffers(c.parts[:])
	n, err := buffers.WriteTo(c.TCPConn)
	c.held, c.parts = c.held[:0], [2][]byte{}
	return max(int(n)-held, 0), err
}

// ReadFrom copies a file to the connection.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	if len(c.held) > 0 {
		if _, err := c.writeHeld(nil); err != nil {
			return 0, err
		}
	}
	return c.TCPConn.ReadFrom(r)
}

// moreFollows reports whether bytes are the head of a response and a part of its body,
// after which net/http sends more or closes the connection.
func moreFollows(b []byte) bool {
	if !bytes.HasPrefix(b, []byte("HTTP/1.1 200 ")) {
		return false
	}
	head, body, _ := bytes.Cut(b, []byte("\r\n\r\n"))
	_, text, ok := bytes.Cut(head, []byte("\r\nContent-Length: "))
	text, _, _ = bytes.Cut(text, []byte("\r\n"))
	length, err := strconv.Atoi(string(text))
	return ok && err == nil && len(body) > 0 && len(body) < length
}

func errorResponse(status int, reason, text string) []byte {
	message := text
	switch status {
	case 400:
		message = "malformed request: in an address, a space is written %20 and a percent sign %25 (" + text + ")"
	case 431:
		message = "the address or the headers of the request are too long"
	}
	body := errorObject(status, message)
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s: %s\r\n%s: %s\r\nConnection: close\r\n\r\n",
		status, reason, applicationJSON[0], len(body),
		"Access-Control-Allow-Origin", anyOrigin[0], "Access-Control-Expose-Headers", exposedHeaders[0])
	return append([]byte(head), body...)
}
