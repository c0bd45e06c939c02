// Package mailtest has a mail server that keeps what it is sent, for tests.
package mailtest

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Mail is a mail that the server has accepted.
type Mail struct{ To, Text string }

// Server is a mail server on this machine.
type Server struct {
	Address string // smtp://127.0.0.1:PORT
	mails   chan Mail
	refusal atomic.Int64 // the status that answers each mail; 0: it is accepted
}

// waitTime is how long a test waits for a mail.
const waitTime = time.Minute

// New starts a server, which ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &Server{Address: "smtp://" + listener.Addr().String(), mails: make(chan Mail, 100)}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go s.receive(connection)
		}
	}()
	return s
}

// Next returns the next mail.
func (s *Server) Next(t testing.TB) Mail {
	t.Helper()
	select {
	case m := <-s.mails:
		return m
	case <-time.After(waitTime):
		t.Fatal("no mail was sent")
	}
	return Mail{}
}

// Sent returns the number of mails that [Server.Next] has not returned.
func (s *Server) Sent() int { return len(s.mails) }

// Refuse has the server answer each mail with a status from now on, such as 550; 0 accepts it.
func (s *Server) Refuse(status int64) { s.refusal.Store(status) }

// receive answers the commands of one connection (RFC 5321).
func (s *Server) receive(connection net.Conn) {
	defer connection.Close()
	lines := bufio.NewScanner(connection)
	reply := func(text string) { fmt.Fprintf(connection, "%s\r\n", text) }
	reply("220 mailtest")
	var m Mail
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "RCPT TO:"):
			m.To = strings.Trim(strings.TrimPrefix(line, "RCPT TO:"), "<>")
			reply("250 ok")
		case line == "DATA":
			reply("354 go on")
			for lines.Scan() && lines.Text() != "." {
				m.Text += lines.Text() + "\n"
			}
			if status := s.refusal.Load(); status != 0 {
				reply(fmt.Sprintf("%d refused", status))
			} else {
				s.mails <- m
				reply("250 ok")
			}
			m = Mail{}
		case line == "QUIT":
			reply("221 bye")
			return
		default:
			reply("250 ok")
		}
	}
}
