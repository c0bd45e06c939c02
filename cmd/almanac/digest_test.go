package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/mail/mailtest"
	"almanac/internal/stattest"
)

// Who is told by mail gets one mail for each update that changes the followed part, with its
// values: also if the mail server was away, if the server was killed before it sent the mail, and if two
// servers run on one data directory.
func TestMailOfUpdates(t *testing.T) {
	t.Parallel()
	dir, files, mails := t.TempDir(), t.TempDir(), mailtest.New(t)
	publish := func(germany string) {
		t.Helper()
		file := filepath.Join(files, "births.csv")
		if err := os.WriteFile(file, []byte("country,year,value\nDE,2020,773144\nDE,2021,"+germany+"\nFR,2020,735196\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, "import", "--data", dir, file)
	}
	publish("795492")
	key := makeKey(t, dir, "desk", "pro")
	invitation := must(t, "account", "invite", "--data", dir, "--mail", "ann@example.org", "--organisation", "desk", "--json")
	start := func() *served {
		t.Helper()
		return startProgram(t, dir, "--smtp", mails.Address, "--mail-from", "almanac@example.org")
	}
	s := start()
	follow(t, s.url+"/api/followed/1", key.Key, `{"country": ["DE"]}`)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	submit := func(path string, fields ...string) {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		answer, err := browser.PostForm(s.url+path, form)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if body, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %.2000s", path, answer.StatusCode, body)
		}
	}
	submit(regexp.MustCompile(`/join/alm_\w+`).FindString(invitation), "name", "Ann", "password", "seven grey herons at noon")
	submit("/account/changes", "do", "mail", "mail", "change")

	wantMail := func(change string) {
		t.Helper()
		text := strings.NewReplacer("=\n", "", "=E2=80=AF", " ", "=E2=86=92", "→").Replace(mails.Next(t).Text)
		if !strings.Contains(text, change) {
			t.Errorf("the mail does not say %q:\n%s", change, text)
		}
	}
	second := start()
	publish("795493")
	wantMail("Germany, 2021: 795 492 → 795 493")
	second.stop(t)

	mails.Refuse(451) // busy
	publish("795494")
	stattest.Eventually(t, func() error {
		answer, err := browser.Get(s.url + "/account/changes")
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if body, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(body), "1 attempt") {
			return fmt.Errorf("no mail was refused: %w, %s", err, body)
		}
		return nil
	})
	s.kill()
	mails.Refuse(0)
	s = start()
	wantMail("Germany, 2021: 795 493 → 795 494")
	s.kill()
	publish("795495")
	s = start()
	wantMail("Germany, 2021: 795 494 → 795 495")
	publish("795496")
	wantMail("Germany, 2021: 795 495 → 795 496")
	s.stop(t)
	if n := mails.Sent(); n != 0 {
		t.Errorf("%d more mails: %s", n, mails.Next(t).Text)
	}
}
