package main

import (
	"testing"

	"almanac/internal/format/office"
	"almanac/internal/licence"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
)

// The table of licences has a row for each source of the built-in offices.
func TestEachOfficeHasALicence(t *testing.T) {
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := offices.NewTable(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range table.Offices() {
		if _, ok := licence.Of(office.Find(o.Name).ID); !ok {
			t.Errorf("%s (%s) has no block in licences.txt", o.ID, office.Find(o.Name).ID)
		}
	}
}
