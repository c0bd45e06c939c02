// Package mail sends mail through the SMTP server of the operator.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Options say through which server mail is sent.
type Options struct {
	// Server is an address such as smtps://user:password@mail.example.org:465 (encrypted from the start) or
	// smtp://mail.example.org:587 (encrypted with STARTTLS, unless the server is on this machine).
	Server string
	// From is the sender: "Almanac <almanac@example.org>".
	From string
}

// Ports of servers that state none.
const (
	submissionPort      = 587
	encryptedPort       = 465
	sendTime            = 30 * time.Second
	schemeEncrypted     = "smtps"
	schemeOpportunistic = "smtp"
)

// Sender sends mail. It is safe for concurrent use.
type Sender struct {
	from    string
	host    string
	options []gomail.Option
}

// New returns a Sender. It does not contact the server.
func New(o Options) (*Sender, error) {
	u, err := url.Parse(o.Server)
	if err != nil || u.Hostname() == "" || u.Scheme != schemeEncrypted && u.Scheme != schemeOpportunistic {
		return nil, errors.New("invalid address of the mail server; use smtps://user:password@host:465 or smtp://host:587") // not repeated: there may be a password
	}
	if err := gomail.NewMsg().From(o.From); err != nil {
		return nil, fmt.Errorf("invalid sender of mail %q; use an address such as almanac@example.org", o.From)
	}
	s := &Sender{from: o.From, host: u.Hostname(), options: []gomail.Option{gomail.WithTimeout(sendTime)}}
	port := submissionPort
	switch ip := net.ParseIP(u.Hostname()); {
	case u.Scheme == schemeEncrypted:
		port = encryptedPort
		s.options = append(s.options, gomail.WithSSL())
	case u.Hostname() == "localhost" || ip != nil && ip.IsLoopback():
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return nil, fmt.Errorf("invalid port %q of the mail server", text)
		}
	}
	s.options = append(s.options, gomail.WithPort(port))
	if password, ok := u.User.Password(); ok {
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return s, nil
}

// Message is a mail to one address.
type Message struct {
	To, Subject, Text string
	HTML              string // says the same as Text; empty: there is only the text
	ID                string // before the @ of the Message-ID; empty: a random one
	// Unsubscribe is the address that ends such mail with one POST (RFC 8058). Empty: the mail was asked for itself.
	Unsubscribe string
	// HandOver is called when the server has been reached and is about to get the mail; an error
	// ends the sending. May be nil.
	HandOver func() error
}

// Send sends a mail. The server has accepted it when Send returns. ctx bounds reaching the server.
func (s *Sender) Send(ctx context.Context, m Message) error {
	letter, err := s.write(&m)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	if err := client.DialWithContext(ctx); err != nil {
		return fmt.Errorf("reaching the mail server: %w", err)
	}
	defer client.Close() // the server has the mail whatever it says now
	if m.HandOver != nil {
		if err := m.HandOver(); err != nil {
			return err
		}
	}
	if err := client.Send(letter); err != nil {
		return fmt.Errorf("sending mail: %w", err)
	}
	return nil
}

// write returns a mail as the library has it.
func (s *Sender) write(m *Message) (*gomail.Msg, error) {
	letter := gomail.NewMsg()
	if err := errors.Join(letter.From(s.from), letter.To(m.To)); err != nil {
		return nil, fmt.Errorf("addressing mail: %w", err)
	}
	letter.Subject(m.Subject)
	letter.SetDate()
	letter.SetMessageID()
	if m.ID != "" {
		from := letter.GetFrom()[0].Address
		letter.SetMessageIDWithValue(m.ID + from[strings.LastIndexByte(from, '@'):])
	}
	if m.Unsubscribe != "" {
		letter.SetBulk()
		letter.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+m.Unsubscribe+">")
		letter.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	letter.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		letter.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return letter, nil
}

// IsRefused reports whether an error of [Sender.Send] is an answer of the server that will be the
// same at the next attempt.
func IsRefused(err error) bool {
	answer, ok := errors.AsType[*gomail.SendError](err)
	return ok && answer.ErrorCode() >= firstRefusal
}

// firstRefusal is the first status of replies that are permanent (RFC 5321, section 4.2.1).
const firstRefusal = 500
