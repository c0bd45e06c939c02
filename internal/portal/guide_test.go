package portal_test

import (
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/portal"
	"almanac/internal/store"
)

// chapters returns the addresses of the guide's pages.
func chapters(t *testing.T, base string) (all []string) {
	t.Helper()
	for _, a := range elements(elements(openPage(t, base+"/guide/first"), "ul", "class=toc")[0], "a") {
		address, _ := attribute(a, "href")
		all = append(all, address)
	}
	if len(all) < 10 {
		t.Fatalf("the guide has the pages %q", all)
	}
	return all
}

// shownRequest matches a request of the guide with its answer's status.
var shownRequest = regexp.MustCompile(`(?s)<pre tabindex="0"><code>((?:GET|POST|PUT) /[^<]*(?:<b>[^<]*</b>[^<]*)*)</code></pre>(?:\s*<h3 class="small">[^<]*<span class="tiny">(\d+), ([\d ]+) bytes)?`)

// TestGuide runs each request of the guide as it is shown, over the sample datasets and over those
// of offices. The status is the one that the page shows, and no answer is empty.
func TestGuide(t *testing.T) {
	for name, open := range map[string]func(testing.TB) *store.Store{"sample": sampleStore, "real": realStore} {
		t.Run(name, func(t *testing.T) {
			var key string
			base := serve(t, open(t), func(o *api.Options, _ *portal.Options) {
				made, err := o.Access.CreateKey(context.Background(), access.KeyRequest{Account: "newsroom", Tier: access.Pro})
				if err != nil {
					t.Fatal(err)
				}
				key = made.Secret
			})
			runs := 0
			for _, page := range chapters(t, base) {
				got := ask(t, "GET", base+page)
				if got.StatusCode != http.StatusOK {
					t.Fatalf("%s: %d %s", page, got.StatusCode, got.body)
				}
				for _, m := range shownRequest.FindAllStringSubmatch(got.body, -1) {
					runs++
					shown := html.UnescapeString(regexp.MustCompile(`</?b>`).ReplaceAllString(m[1], ""))
					runShown(t, base, key, shownExample{shown, m[2], m[3]})
				}
			}
			if runs < 25 {
				t.Errorf("the guide shows %d requests", runs)
			}
		})
	}
}

// shownExample is a request as the guide writes it, with the status and length of the answer; both
// are empty if the guide shows no answer.
type shownExample struct{ request, status, length string }

// runShown makes a request, and compares the status and length of the answer with those that the
// page shows.
func runShown(t *testing.T, base, key string, one shownExample) {
	t.Helper()
	shown, status, length := one.request, one.status, one.length
	head, body, _ := strings.Cut(shown, "\n\n")
	lines := strings.Split(head, "\n")
	method, address, _ := strings.Cut(lines[0], " ")
	headers := map[string]string{}
	for _, line := range lines[1:] {
		if name, value, ok := strings.Cut(line, ": "); ok {
			headers[name] = strings.Replace(value, "alm_…", key, 1)
		} else {
			address += strings.TrimSpace(line)
		}
	}
	r, err := http.NewRequest(method, base+address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || len(content) == 0 || status == "" && response.StatusCode != http.StatusOK || status != "" && status != strconv.Itoa(response.StatusCode) {
		t.Errorf("%s: %d (%v), the page shows %q: %s", shown, response.StatusCode, err, status, content)
	}
	isMistake := strings.Contains(address, "=soon") || strings.Contains(address, "=red")
	if (response.StatusCode >= http.StatusBadRequest) != isMistake {
		t.Errorf("%s: %d %s", shown, response.StatusCode, content)
	}
	digits := strings.NewReplacer("\u202f", "", " ", "").Replace(length)
	if length != "" && digits != strconv.Itoa(len(content)) && !strings.Contains(address, "/api/limits") && address != "/healthz" {
		t.Errorf("%s: %d bytes, the page shows %s", shown, len(content), digits)
	}
}

// TestGuideWithoutDatasets opens the guide of a service without datasets.
func TestGuideWithoutDatasets(t *testing.T) {
	base := serve(t, newStore(t), nil)
	for _, page := range chapters(t, base) {
		openPage(t, base+page)
	}
}

// TestReference opens the page of each operation. It has the parameters of /openapi.json.
func TestReference(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	index := openPage(t, base+"/reference")
	var d struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(ask(t, "GET", base+"/openapi.json").body), &d); err != nil {
		t.Fatal(err)
	}
	for path, methods := range d.Paths {
		for method, o := range methods {
			if len(elements(index, "a", "href=/reference/"+o.OperationID)) != 1 {
				t.Errorf("the reference does not list %s once", o.OperationID)
			}
			text := textOf(openPage(t, base+"/reference/"+o.OperationID))
			if !strings.Contains(text, strings.ToUpper(method)+" "+path) {
				t.Errorf("the page of %s does not show %s", o.OperationID, path)
			}
			for _, p := range o.Parameters {
				if stem := strings.TrimRight(p.Name, "2345678"); !strings.Contains(text, stem) {
					t.Errorf("the page of %s lacks the parameter %s", o.OperationID, p.Name)
				}
			}
		}
	}
	if got := ask(t, "GET", base+"/reference/nothing"); got.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown operation: %d", got.StatusCode)
	}
}

// TestChangesAndState opens the pages of changes and of the state of the service.
func TestChangesAndState(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	changes := openPage(t, base+"/changes")
	if len(elements(changes, "h2")) < 1 || len(elements(changes, "li")) < 20 || strings.Contains(textOf(elements(changes, "main")[0]), "](") {
		t.Errorf("the changes are not shown as they should be: %.500s", textOf(changes))
	}
	state := openPage(t, base+"/status")
	if heading(t, state) != "The service answers" || !strings.Contains(textOf(state), "2 datasets of 2 offices can be read.") || !strings.Contains(textOf(state), "Gapminder") {
		t.Errorf("the state of the service: %s", textOf(state))
	}
}
