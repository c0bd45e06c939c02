package offices_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
)

// A secret goes to its host only, not after a redirect to another, and is in no answer.
func TestSecretsStay(t *testing.T) {
	const key = "sesame-open-1234"
	other := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.String()+fmt.Sprint(r.Header), key) {
			t.Error("the key was sent to another host")
		}
		_, _ = w.Write([]byte("country,year,value\nDE,2020,1.5\n"))
	}))
	defer other.Close()
	server := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("api_key") != key {
			http.Error(w, "no key", http.StatusBadRequest)
			return
		}
		switch r.URL.Path {
		case "/away.csv":
			http.Redirect(w, r, other.URL+"/away.csv", http.StatusFound)
		case "/echo.csv":
			_, _ = fmt.Fprintf(w, "country,year,value,address\nDE,2020,1.5,%s\n", r.URL)
		default:
			http.Error(w, "refused: "+r.URL.String(), http.StatusBadRequest)
		}
	}))
	defer server.Close()
	row := source.Office{ID: "nso", Name: "NSO", Kind: "files", Address: server.URL, Data: server.URL + "/{code}.csv", Key: &source.Key{Parameter: "api_key"}}
	b := sourcetest.NewOf(t, server, row, fetch.Secret{Address: row.Address, Parameter: "api_key", Value: key})
	for _, code := range []string{"away", "echo"} {
		d, err := b.Fetch(t, code, nil)
		if err != nil || strings.Contains(fmt.Sprintf("%+v", d), key) {
			t.Errorf("%s: got %+v, %v", code, d, err)
			continue
		}
		for _, file := range d.Data {
			if strings.Contains(fileText(t, file), key) {
				t.Errorf("%s: the file contains the key", code)
			}
		}
	}
	if _, err := b.Fetch(t, "refused", nil); err == nil || !strings.Contains(err.Error(), "refused: ") || strings.Contains(err.Error(), key) {
		t.Errorf("got %v, want the message without the key", err)
	}
}

// A key may be an account with its password, in two headers.
func TestAccount(t *testing.T) {
	row := source.Office{ID: "nso", Address: "https://nso.example", Key: &source.Key{Header: "username", Password: "password"}}
	for key, want := range map[string]string{
		"DE0012:correct-horse": "username=DE0012 password=correct-horse ", "0123456789abcdef": "username=0123456789abcdef ", "DE0012:short": "invalid key of nso",
	} {
		secrets, err := offices.Secrets([]source.Office{row}, func(id string) string { return map[string]string{"nso": key}[id] })
		got := ""
		for _, s := range secrets {
			got += s.Header + "=" + s.Value + " "
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
}

func fileText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
