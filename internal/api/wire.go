package api

import (
	"bytes"
	"fmt"
	"net"
	"regexp"
	"strconv"
)

// Wire wraps the listener that an [API] is served on. net/http answers what it
// cannot read as a request (a broken escape in the path, a raw space, headers
// that are too long) before any handler sees it, in plain text; on a wrapped
// listener these answers too are the error object, with the headers that every
// answer has.
func Wire(l net.Listener) net.Listener { return wire{l} }

type wire struct{ net.Listener }

func (w wire) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return wiredConn{tcp}, err
	}
	return c, err
}

// wiredConn is a connection on which plain errors become error objects. It
// embeds the TCP connection so that files still go the kernel's way.
type wiredConn struct{ *net.TCPConn }

// plainError is an answer that net/http's server makes by itself; it is
// written at once.
var plainError = regexp.MustCompile(`^HTTP/1\.1 (\d{3}) ([^\r\n]*)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n(.*)$`)

const longestPlainError = 512

func (c wiredConn) Write(b []byte) (int, error) {
	if len(b) > longestPlainError {
		return c.TCPConn.Write(b)
	}
	if bytes.HasPrefix(b, []byte("HTTP/1.1 417 ")) && bytes.Contains(b, []byte("\r\nContent-Length: 0\r\n")) {
		if _, err := c.TCPConn.Write(errorAnswer(417, "Expectation Failed", "the header Expect asks for something that is not done here; right is 100-continue, or none")); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	if !bytes.Contains(b, []byte("\r\nContent-Type: text/plain")) {
		return c.TCPConn.Write(b)
	}
	found := plainError.FindSubmatch(b)
	if found == nil {
		return c.TCPConn.Write(b)
	}
	status, _ := strconv.Atoi(string(found[1]))
	if _, err := c.TCPConn.Write(errorAnswer(status, string(found[2]), string(found[3]))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// errorAnswer is a whole answer with the error object.
func errorAnswer(status int, reason, said string) []byte {
	message := said
	switch status {
	case 400:
		message = "the request cannot be read: in an address, a space is %20 and a percent sign %25 (" + said + ")"
	case 431:
		message = "the address or the headers of the request are too long"
	}
	body := errorObject(status, message)
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s: %s\r\n%s: %s\r\nConnection: close\r\n\r\n",
		status, reason, applicationJSON[0], len(body),
		"Access-Control-Allow-Origin", anyOrigin[0], "Access-Control-Expose-Headers", exposedHeaders[0])
	return append([]byte(head), body...)
}
