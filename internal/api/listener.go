package api

import (
	"bytes"
	"fmt"
	"net"
	"regexp"
	"strconv"
)

// NewListener wraps the listener that an [API] is served on. net/http answers what
// it cannot read as a request (a broken escape in the path, a raw space, headers
// that are too long) before any handler sees it, in plain text; on a wrapped
// listener these answers too are the error object, with the headers that every
// answer has.
func NewListener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return conn{tcp}, err
	}
	return c, err
}

// conn is a connection on which plain errors become error objects. It embeds the
// TCP connection so that the kernel still copies files to it.
type conn struct{ *net.TCPConn }

// plainError is an answer that net/http's server makes by itself; it is
// written at once.
var plainError = regexp.MustCompile(`^HTTP/1\.1 (\d{3}) ([^\r\n]*)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n(.*)$`)

// maxPlainError is more than any of these answers has, in bytes.
const maxPlainError = 512

func (c conn) Write(b []byte) (int, error) {
	answer := b
	switch {
	case len(b) > maxPlainError:
	case bytes.HasPrefix(b, []byte("HTTP/1.1 417 ")) && bytes.Contains(b, []byte("\r\nContent-Length: 0\r\n")):
		answer = errorAnswer(417, "Expectation Failed", "the header Expect is not supported with this value; it must be 100-continue or absent")
	case bytes.Contains(b, []byte("\r\nContent-Type: text/plain")):
		if found := plainError.FindSubmatch(b); found != nil {
			status, _ := strconv.Atoi(string(found[1]))
			answer = errorAnswer(status, string(found[2]), string(found[3]))
		}
	}
	n, err := c.TCPConn.Write(answer)
	if err == nil {
		n = len(b) // as the server expects
	}
	return min(n, len(b)), err
}

// errorAnswer is a whole answer with the error object.
func errorAnswer(status int, reason, text string) []byte {
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
