package portal_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/people"

	"almanac/internal/stattest/browser"
)

// Somebody opens a dataset in Chromium, follows what is shown, and chooses to be told by mail and by the
// feed. Then a new version arrives: the page of changes, the mail, the feed and the webhook say the same
// of it, value by value, and nothing of what is not followed.
func TestFollowInBrowser(t *testing.T) {
	axe := browser.Axe(t)
	n := openNewsroom(t)
	r := n.member(t, "ann@example.org", "Example Times", people.Owner)
	received := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		received <- string(body)
	}))
	defer receiver.Close()
	r.post("/account/webhooks", "do", "add", "address", receiver.URL).want(200, "/account/webhooks")

	tab := newTab(t)
	tab.open(n.base + "/datasets/1/births?country=DE")
	tab.clickFor(`a[href^="/account/follow?"]`, "Forgot the password")
	evaluate[any](tab, `document.getElementById("mail").value = "ann@example.org"; document.getElementById("password").value = "`+somePassword+`"`)
	tab.clickFor("main form button.main", "The whole dataset")
	evaluate[any](tab, `document.getElementById("rhythm").value = "change"`)
	tab.clickFor("main form button.main", "This is followed")
	tab.clickFor(`a[href$="#followed"]`, "no change since")
	tab.clickFor(`a[href^="/account/changes"]`, "The organisation has no feed")
	tab.clickFor(`button[value="renew"]`, "Make a new address")
	n.publish(t, 1)

	const want = "Germany 2021 795 492 795 493"
	tab.open(n.base + "/account/changes")
	if rows := rowsOf(elements(parse(t, evaluate[string](tab, "document.documentElement.outerHTML")), "section", "id=changes")[0]); rows != want {
		t.Errorf("the page of changes says %q, want %q", rows, want)
	}
	if mail := rowsOf(parse(t, readLetter(t, n.mails.Next(t)).html)); mail != want {
		t.Errorf("the mail says %q, want %q", mail, want)
	}
	address := evaluate[string](tab, `document.querySelector("#feed pre").innerText.trim()`)
	var feed struct {
		Items []struct {
			Content string `json:"content_html"`
		}
	}
	got := ask(t, "GET", strings.Replace(address, ".atom", ".json", 1))
	if err := json.Unmarshal([]byte(got.body), &feed); err != nil || len(feed.Items) != 1 || rowsOf(parse(t, feed.Items[0].Content)) != want {
		t.Errorf("the feed is %s (%v)", got.body, err)
	}
	var message struct {
		Data struct {
			Revisions []struct {
				Country, Period string
				Old             json.Number `json:"old_value"`
				New             json.Number `json:"new_value"`
			}
		}
	}
	body := <-received
	if err := json.Unmarshal([]byte(body), &message); err != nil || len(message.Data.Revisions) != 1 {
		t.Fatalf("the webhook says %s (%v)", body, err)
	}
	if v := message.Data.Revisions[0]; v.Country+" "+v.Period+" "+v.Old.String()+" "+v.New.String() != "Germany 2021 795492 795493" {
		t.Errorf("the webhook says %+v", v)
	}
	for _, path := range []string{"/account/changes", "/account/follow?dataset=1&country=DE"} {
		tab.inspect(axe, n.base, path)
	}
}

// clickFor clicks a link or button, and waits until the page has a text.
func (b *tab) clickFor(selector, text string) {
	b.t.Helper()
	evaluate[any](b, "document.querySelector('"+selector+"').click()")
	b.waitForText(text)
}
