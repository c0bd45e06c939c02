package mail_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"almanac/internal/mail"
	"almanac/internal/mail/mailtest"
)

func TestSend(t *testing.T) {
	server := mailtest.New(t)
	s, err := mail.New(mail.Options{Server: server.Address, From: "Almanac <almanac@example.org>"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(context.Background(), mail.Message{To: "ann@example.org", Subject: "Invitation to Büro", Text: "Join here:\nhttps://example.org/join/x\n"}); err != nil {
		t.Fatal(err)
	}
	got := server.Next(t)
	for _, part := range []string{"From: \"Almanac\" <almanac@example.org>", "To: <ann@example.org>", "Subject: =?UTF-8?", "https://example.org/join/x"} {
		if !strings.Contains(got.Text, part) {
			t.Errorf("the mail has no %q:\n%s", part, got.Text)
		}
	}
	if got.To != "ann@example.org" {
		t.Errorf("sent to %q", got.To)
	}
	if err := s.Send(context.Background(), mail.Message{To: "ann@example.org\r\nBcc: eve@example.org", Subject: "x", Text: "x"}); err == nil {
		t.Error("an address with a line break was accepted")
	}
}

// A mail that is sent often says how to end it, and has the same Message-ID at each attempt. It is
// not given to the server if HandOver fails.
func TestSendOften(t *testing.T) {
	server := mailtest.New(t)
	s, err := mail.New(mail.Options{Server: server.Address, From: "Almanac <almanac@example.org>"})
	if err != nil {
		t.Fatal(err)
	}
	m := mail.Message{
		To: "ann@example.org", Subject: "What changed", Text: "1 → 2\n", HTML: "<p>1 → 2</p>", ID: "msg_1",
		Unsubscribe: "https://example.org/unsubscribe/x", HandOver: func() error { return errors.New("somebody else sends it") },
	}
	if err := s.Send(context.Background(), m); err == nil || server.Sent() != 0 {
		t.Errorf("%v, %d mails; want none and an error", err, server.Sent())
	}
	m.HandOver = func() error { return nil }
	if err := s.Send(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	got := server.Next(t)
	for _, part := range []string{"Message-ID: <msg_1@example.org>", "List-Unsubscribe: <https://example.org/unsubscribe/x>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click", "multipart/alternative", "text/plain", "text/html"} {
		if !strings.Contains(got.Text, part) {
			t.Errorf("the mail has no %q:\n%s", part, got.Text)
		}
	}
	server.Refuse(550)
	if err := s.Send(context.Background(), m); !mail.IsRefused(err) {
		t.Errorf("after 550: %v, want it refused", err)
	}
	server.Refuse(451)
	if err := s.Send(context.Background(), m); err == nil || mail.IsRefused(err) {
		t.Errorf("after 451: %v, want a failure that may pass", err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []mail.Options{
		{}, {Server: "mail.example.org", From: "a@example.org"}, {Server: "http://mail.example.org", From: "a@example.org"},
		{Server: "smtp://", From: "a@example.org"}, {Server: "smtp://mail.example.org", From: ""}, {Server: "smtp://user:secret@mail.example.org:x", From: "a@example.org"},
	} {
		if _, err := mail.New(o); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
