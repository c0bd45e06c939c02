package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// docs/operations.md, Organisations, accounts, keys: a key is shown once, and only its
// public ID and a hash are stored. The test runs the program with valid and invalid keys,
// in the right place and in wrong ones. Then it searches all that the program printed and
// stored for the secret parts of the keys and for the pepper.
func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	importOne(t, dir, manyRows(t, 40))
	keys := keysOfAllKinds(t, dir)
	s := startProgram(t, dir, "--limits", "anonymous=unlimited,essential=unlimited,pro=unlimited", "--free-accounts", "1000")
	keys["free account"] = freeAccount(t, s)
	output := outputs{}
	for _, key := range keys {
		for where, request := range everywhereIn(key) {
			output.add("the response to a key "+where, raw(t, s, request))
		}
	}
	for _, kind := range []string{"good", "revoked", "mistyped"} {
		commandsWith(t, dir, keys[kind], output)
	}
	for _, args := range [][]string{{"key", "list"}, {"account", "list"}, {"organisation", "list"}, {"usage"}} {
		output.add("almanac "+args[0], must(t, append(args, "--data", dir)...))
		output.add("almanac "+args[0]+" --json", must(t, append(args, "--data", dir, "--json")...))
	}
	broken(t, s, dir, keys, output)
	contents(t, dir, output)
	s.stop(t)
	contents(t, dir, output)
	output.add("the log", s.output.String())
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("other users of the machine can open the data directory: %v %v", info.Mode(), err)
	}
	secrets := pepperForms(t, dir)
	for kind, key := range keys {
		secrets["the key that is "+kind] = key
	}
	for where, texts := range output {
		for _, text := range texts {
			if found := secretIn(text, secrets); found != "" {
				t.Errorf("%s %s", where, found)
				break // one is enough
			}
		}
	}
}

// outputs holds the texts that the program printed and stored, by place.
type outputs map[string][]string

func (s outputs) add(where, text string) { s[where] = append(s[where], text) }

// secretIn names the secret of which a text contains any twelve consecutive
// characters. Of a key, it searches for the secret part.
func secretIn(text string, secrets map[string]string) string {
	const telling = 12
	for name, secret := range secrets {
		if strings.HasPrefix(secret, "alm_") {
			secret = secret[12:44]
		}
		for i := range len(secret) - telling + 1 {
			if at := strings.Index(text, secret[i:i+telling]); at >= 0 {
				return fmt.Sprintf("contains %s, after %q", name, text[max(at-120, 0):at])
			}
		}
	}
	return ""
}

// commandsWith runs commands with a key in wrong places.
func commandsWith(t *testing.T, dir, key string, output outputs) {
	t.Helper()
	for _, args := range [][]string{
		{"key", "revoke", "--data", dir, forge("00000000", key[12:44])}, {"key", "rotate", "--data", dir, key[:30]},
		{"key", "list", "--data", dir, "--account", key}, {"key", "create", "--data", dir, "--account", key},
		{"account", "create", "--data", dir, key}, {"organisation", "create", "--data", dir, "Paper of " + key},
		{"account", "set-tier", "--data", dir, key, "pro"}, {"account", "set-tier", "--data", dir, "newsroom", key},
		{"usage", "--data", dir, "--from", key}, {"serve", "--data", dir, "--limits", "essential=" + key}, {"key", key},
	} {
		out, log, code := commandLine(t, args...)
		where := "almanac " + args[0] + " " + strings.TrimPrefix(args[1], key)
		if code == exitDone {
			t.Errorf("%s with a key in the wrong place succeeded", where)
		}
		output.add(where, out+log)
	}
}

// keysOfAllKinds returns valid and invalid keys, each with its own secret.
func keysOfAllKinds(t *testing.T, dir string) map[string]string {
	t.Helper()
	good, pro := makeKey(t, dir, "newsroom", "essential"), makeKey(t, dir, "office", "pro")
	revoked, rotated := makeKey(t, dir, "newsroom", "essential"), makeKey(t, dir, "office", "pro")
	must(t, "key", "revoke", "--data", dir, revoked.Key) // the key itself, as someone who finds a leaked one would
	next := readKey(t, must(t, "key", "rotate", "--data", dir, "--overlap", "0", "--json", rotated.ID))
	const unknown, wrong = "0unknown0secret0nobody0has0made0", "1wrong1secret1of1a1key1that1is11"
	keys := map[string]string{
		"good": good.Key, "pro": pro.Key, "revoked": revoked.Key, "expired": rotated.Key, "the next one": next.Key,
		"unknown": forge("Aa0Bb1Cc", unknown), "wrong": forge(good.ID, wrong), "mistyped": forge("Zz0Yy1Xx", "0mistyped0secret0of0a0key0at0all")[:49] + "!",
	}
	for kind, key := range keys {
		if len(key) != 50 {
			t.Fatalf("the key that is %s has %d characters", kind, len(key))
		}
	}
	return keys
}

// freeAccount makes an account over HTTP and returns its key.
func freeAccount(t *testing.T, s *served) string {
	t.Helper()
	resp, err := http.Post(s.url+"/api/accounts", "application/json", strings.NewReader(`{"name": "A reader"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var text strings.Builder
	if err := resp.Write(&text); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("POST /api/accounts: %s (%v)", text.String(), err)
	}
	found := strings.Index(text.String(), "alm_")
	if found < 0 {
		t.Fatalf("no key in %s", text.String())
	}
	return text.String()[found : found+50]
}

// everywhereIn returns requests with a key in the right place and in wrong ones,
// including some that net/http itself responses.
func everywhereIn(key string) map[string]string {
	const rest = " HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n"
	get := func(path, headers string) string { return "GET " + path + rest + headers + "\r\n" }
	post := func(method, path, headers, body string) string {
		return fmt.Sprintf("%s %s%sContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", method, path, rest, len(body), headers, body)
	}
	right := "X-API-Key: " + key + "\r\n"
	escaped := strings.ReplaceAll(key, "_", "%5F")
	requests := map[string]string{
		"in its header":                get("/api/datasets", right),
		"at the limits":                get("/api/limits", right),
		"as a bearer":                  get("/api/datasets/1/data?followed=true", "Authorization: Bearer "+key+"\r\n"),
		"as another scheme":            get("/api/datasets", "Authorization: Basic "+key+"\r\n"),
		"without a scheme":             get("/api/datasets", "Authorization: "+key+"\r\n"),
		"twice":                        get("/api/datasets", right+right),
		"in both headers":              get("/api/datasets", right+"Authorization: Bearer "+key+"\r\n"),
		"with quotation marks":         get("/api/datasets", `X-API-Key: "`+key+"\"\r\n"),
		"in other headers":             get("/api/datasets/1/meta", "If-None-Match: "+key+"\r\nIf-Modified-Since: "+key+"\r\nX-Request-Id: "+key+"\r\nOrigin: "+key+"\r\nAccept-Encoding: "+key+"\r\nX-Forwarded-For: "+key+"\r\nUser-Agent: "+key+"\r\nCookie: key="+key+"\r\n"),
		"as a parameter's name":        get("/api/datasets?"+key+"=1", right),
		"as a parameter":               get("/api/datasets?key="+key, ""),
		"as a catalogue's country":     get("/api/datasets?country="+key, right),
		"as a country":                 get("/api/datasets/1/data?country="+key, right),
		"as a country, escaped":        get("/api/datasets/1/data?country="+escaped, right),
		"as a value":                   get("/api/datasets/1/data?dim1="+key, right),
		"as a period":                  get("/api/datasets/1/data?period="+key, ""),
		"as a boolean":                 get("/api/datasets/1/data?latest="+key, ""),
		"as the page":                  get("/api/datasets?page="+key, ""),
		"as an id":                     get("/api/datasets/"+key, right),
		"as an id, escaped":            get("/api/datasets/"+escaped, ""),
		"as a path":                    get("/"+key, right),
		"as a path of the interface":   get("/api/"+key+"/datasets", right),
		"in an unclean path":           get("//"+key+"/../"+key, right),
		"as the file of a chart":       get("/charts/"+key+".png", right),
		"as a followed dataset":        get("/api/followed/"+key, right),
		"as a method":                  strings.Replace(get("/api/datasets", right), "GET", key, 1),
		"as the version":               "GET / " + key + "\r\nHost: example.org\r\n\r\n",
		"as the host":                  "GET /api/datasets HTTP/1.1\r\nHost: " + key + "\r\nConnection: close\r\n\r\n",
		"as an invalid host":           "GET /api/datasets HTTP/1.1\r\nHost: [" + key + "\r\nConnection: close\r\n\r\n",
		"as a line":                    get("/api/datasets", key+"\r\n"),
		"with a control character":     get("/api/datasets", "X-API-Key: "+key+"\x01\r\n"),
		"as a header's name":           get("/api/datasets", key+" : 1\r\n"),
		"as a coding of the body":      get("/api/datasets", "Transfer-Encoding: "+key+"\r\n"),
		"as a length":                  get("/api/datasets", "Content-Length: "+key+"\r\n"),
		"as an expectation":            get("/api/datasets", "Expect: "+key+"\r\n"),
		"in a header that is too long": get("/api/datasets", "X-API-Key: "+strings.Repeat(key, 10_000)+"\r\n"),
		"in a chart's address":         get("/api/datasets/1/chart.png?type="+key, right),
		"as a body's type":             strings.Replace(post("POST", "/api/charts/generate-png", right, "{}"), "application/json", key, 1),
	}
	for what, body := range map[string]string{
		"field": `{"` + key + `": 1}`, "number": `{"datasetId": ` + key + `}`, "dataset": `{"datasetId": "` + key + `"}`,
		"type": `{"datasetId": 1, "chartType": "` + key + `"}`, "colour": `{"datasetId": 1, "chartType": "line", "seriesColors": {"Germany": "` + key + `"}}`,
		"query": `{"datasetId": 1, "chartType": "line", "dimensions_query": "` + key + `=1"}`, "country": `{"datasetId": 1, "chartType": "line", "selectedDimensions": {"country": ["` + key + `"]}}`,
	} {
		requests["as the "+what+" of a chart"] = post("POST", "/api/charts/generate-png", right, body)
	}
	for what, body := range map[string]string{"field": `{"` + key + `": []}`, "country": `{"country": ["` + key + `"]}`, "value": `{"dim1": ["` + key + `"]}`} {
		requests["as the followed "+what] = post("PUT", "/api/followed/1", right, body)
	}
	requests["as the field of an account"] = post("POST", "/api/accounts", "", `{"`+key+`": 1}`)
	requests["as the name of an account"] = post("POST", "/api/accounts", "", `{"name": "`+key+`"}`)
	return requests
}

// broken makes requests fail: it damages the file of a dataset that the server has
// not opened yet.
func broken(t *testing.T, s *served, dir string, keys map[string]string, output outputs) {
	t.Helper()
	before, err := filepath.Glob(filepath.Join(dir, "vintages", "*", "*", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "months.csv")
	if err := os.WriteFile(file, []byte("#almanac-tidy,1\n#source,nso\n#dataset,months\n#dimension,sex\n#geography,geo\nsex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2026-01,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	line := importOne(t, dir, file)
	after, err := filepath.Glob(filepath.Join(dir, "vintages", "*", "*", "*.parquet"))
	if err != nil || len(after) != len(before)+1 {
		t.Fatalf("%d files of observations after another import, %d before (%v)", len(after), len(before), err)
	}
	for _, name := range after {
		if strings.Contains(strings.Join(before, "\n"), name) {
			continue
		}
		if err := os.Truncate(name, 20); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{keys["good"], keys["pro"]} {
		for _, written := range []string{key, strings.ReplaceAll(key, "_", "%5f")} {
			request := fmt.Sprintf("GET /api/datasets/%d/data?country=%s HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\nX-API-Key: %s\r\n\r\n", line.ID, written, key)
			stattest.Eventually(t, func() error {
				text := raw(t, s, request)
				output.add("the response for a damaged dataset", text)
				if !strings.HasPrefix(text, "HTTP/1.1 503 ") {
					return fmt.Errorf("a damaged dataset: got %s, want 503", text)
				}
				return nil
			})
		}
	}
}

// contents adds the files of a folder except the pepper.
func contents(t *testing.T, dir string, output outputs) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "access.pepper" {
			return err
		}
		text, err := os.ReadFile(name)
		output.add("file "+strings.TrimPrefix(name, dir), string(text))
		return err
	})
	if err != nil || output["file "+string(filepath.Separator)+"access.db"] == nil {
		t.Fatalf("reading the folder: %v", err)
	}
}

// pepperForms returns the ways in which the pepper might be written.
func pepperForms(t *testing.T, dir string) map[string]string {
	t.Helper()
	name := filepath.Join(dir, "access.pepper")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the pepper's file has mode %v, want 0600", info.Mode())
	}
	pepper, err := os.ReadFile(name)
	if err != nil || len(pepper) < 32 {
		t.Fatalf("a pepper of %d bytes: %v", len(pepper), err)
	}
	return map[string]string{
		"the pepper":                    string(pepper),
		"the pepper in hex":             hex.EncodeToString(pepper),
		"the pepper in upper-case hex":  strings.ToUpper(hex.EncodeToString(pepper)),
		"the pepper in base64":          base64.RawStdEncoding.EncodeToString(pepper),
		"the pepper in base64 for URLs": base64.RawURLEncoding.EncodeToString(pepper),
		"the pepper as numbers":         strings.Trim(fmt.Sprint(pepper), "[]"),
	}
}
