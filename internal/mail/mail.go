// Package mail sends mail through the SMTP server of the operator.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
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

// Send sends a text to an address. The server has accepted it when Send returns.
func (s *Sender) Send(ctx context.Context, to, subject, text string) error {
	m := gomail.NewMsg()
	if err := errors.Join(m.From(s.from), m.To(to)); err != nil {
		return fmt.Errorf("addressing mail: %w", err)
	}
	m.Subject(subject)
	m.SetMessageID()
	m.SetDate()
	m.SetBodyString(gomail.TypeTextPlain, text)
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		return fmt.Errorf("sending mail: %w", err)
	}
	return nil
}
