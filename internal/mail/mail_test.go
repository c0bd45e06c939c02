package mail_test

import (
	"context"
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
	if err := s.Send(context.Background(), "ann@example.org", "Invitation to Büro", "Join here:\nhttps://example.org/join/x\n"); err != nil {
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
	if err := s.Send(context.Background(), "ann@example.org\r\nBcc: eve@example.org", "x", "x"); err == nil {
		t.Error("an address with a line break was accepted")
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
