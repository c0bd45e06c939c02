package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"testing"

	"almanac/internal/api"
	"almanac/internal/search"
	"almanac/internal/topics"
)

type topicReply struct {
	Data []struct {
		Code, Name, Broader string
		Here, Offered       int
	}
	Notices []struct {
		Parameter string
		Nearest   []string
	}
}

// docs/api.md, Topics: the list has all topics, and its counts are the totals of the search
// with that topic.
func TestTopics(t *testing.T) {
	base := searchServer(t)
	doc := readReference(t, base)
	list := func(path string) (r topicReply) {
		t.Helper()
		got := ask(t, "GET", base+path)
		doc.check(t, path, got)
		if err := json.Unmarshal([]byte(got.body), &r); err != nil || got.StatusCode != 200 {
			t.Fatalf("%s: %d %s %v", path, got.StatusCode, got.body, err)
		}
		return r
	}
	all := list("/api/topics")
	if len(all.Data) != len(topics.All()) {
		t.Fatalf("%d topics, want %d", len(all.Data), len(topics.All()))
	}
	sum := 0
	for i, topic := range all.Data {
		if want := topics.All()[i]; topic.Code != want.Code || topic.Name != want.Name {
			t.Errorf("topic %d: %+v, want %s %s", i, topic, want.Code, want.Name)
		}
		for here, want := range map[string]int{"here": topic.Here, "offered": topic.Offered} {
			if page := find(t, base, fmt.Sprintf("topic=%s&here=%s", topic.Code, here)); page.Pagination.Total != want {
				t.Errorf("%s %s: %d, the search finds %d", topic.Code, here, want, page.Pagination.Total)
			}
		}
		sum += topic.Here + topic.Offered
	}
	if sum == 0 {
		t.Error("no topic has datasets")
	}
	at := slices.IndexFunc(list("/api/topics?lang=de").Data, func(topic struct {
		Code, Name, Broader string
		Here, Offered       int
	}) bool {
		return topic.Code == "2.4.2" && topic.Name == "Energie" && topic.Broader == "2.4"
	})
	if at < 0 {
		t.Error("Energie below 2.4 is not listed in German")
	}
	if r := list("/api/topics?lang=ja"); len(r.Notices) != 1 || r.Notices[0].Parameter != "lang" || r.Data[0].Name != all.Data[0].Name {
		t.Errorf("Japanese: %+v", r.Notices)
	}
	wantError(t, ask(t, "GET", base+"/api/topics?lang=%3F"), 400)
	wantError(t, ask(t, "GET", base+"/api/topics?limit=3"), 400)
}

// An unknown topic has notices with the names that it may mean, in its language.
func TestUnknownTopics(t *testing.T) {
	base := searchServer(t)
	for text, want := range map[string]string{
		"Wirtschaftliche Gesamtrechnungen": "Volkswirtschaftliche Gesamtrechnungen", "Labor": "Labour", "Comptes": "Comptes économiques", "2.99": "2",
	} {
		for _, path := range []string{"/api/datasets?topic=", "/api/search?topic="} {
			var r topicReply
			got := ask(t, "GET", base+path+url.QueryEscape(text))
			if err := json.Unmarshal([]byte(got.body), &struct {
				Data    any
				Notices any
			}{Notices: &r.Notices}); err != nil || len(r.Notices) == 0 || !slices.Contains(r.Notices[0].Nearest, want) {
				t.Errorf("%s%s: %s, %v; want %s", path, text, got.body, err, want)
			}
		}
	}
}

// Before the datasets of the store are indexed, the counts would be wrong.
func TestTopicsWithoutIndex(t *testing.T) {
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Search: search.New(search.Options{Store: s})}))
	wantError(t, ask(t, "GET", base+"/api/topics"), 503)
}
