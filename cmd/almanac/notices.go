package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/notice"
	"almanac/internal/source/fetch"
	"almanac/internal/store"
)

// noticeKey is the purpose of the key that encrypts the secrets of webhooks.
const noticeKey = "secrets of webhooks"

// openNotices opens the database of notices.
func openNotices(ctx context.Context, atExit *cleanups, at installation, a *access.Access) (*notice.DB, error) {
	db, err := notice.Open(ctx, at.databases(), a.DerivedKey(noticeKey))
	return closeAtExit(atExit, db, err)
}

// runNotices makes and sends notices until ctx ends.
func (c *serveCmd) runNotices(ctx context.Context, o api.Options, service *api.API) {
	options := notice.Options{
		DB: c.notices, Service: &followedChanges{store: o.Store, access: o.Access, service: service, base: o.BaseURL},
		Transport: fetch.SafeTransport(c.WebhookNetworks), Log: o.Log,
	}
	if c.SMTP != "" {
		options.Mailer = c.pages
	}
	notice.NewNotifier(options).Run(ctx)
}

// followedChanges is what notices are about: the revisions of the interface.
type followedChanges struct {
	store   *store.Store
	access  *access.Access
	service *api.API
	base    string
}

// Datasets implements [notice.Service].
func (f *followedChanges) Datasets() iter.Seq[notice.Dataset] {
	return func(yield func(notice.Dataset) bool) {
		entries := f.store.Catalog().Entries
		for i := range entries {
			e := &entries[i]
			if !yield(notice.Dataset{ID: e.ID, Version: e.Version}) {
				return
			}
		}
	}
}

// Followers implements [notice.Service].
func (f *followedChanges) Followers(ctx context.Context, dataset int) ([]int64, error) {
	return f.access.Followers(ctx, dataset)
}

// maxRevisions is the number of changed values in a notice; it has the address of all.
const maxRevisions = 100

// Change implements [notice.Service].
func (f *followedChanges) Change(ctx context.Context, organisation int64, dataset int, before, version string) (c notice.Change, ok bool, err error) {
	query := url.Values{"from": {before}, "to": {version}}
	path := fmt.Sprintf("/api/datasets/%d/revisions?", dataset)
	c = notice.Change{Dataset: dataset, Before: before, Version: version, MoreAddress: f.base + path + query.Encode()}
	query.Set("followed", "true")
	query.Set("limit", strconv.Itoa(maxRevisions))
	var body bytes.Buffer
	status, err := f.service.CallOf(access.Caller{Organisation: organisation}).Read(ctx, path+query.Encode(), nil, &body)
	if err != nil || status == http.StatusNotFound { // a version that was deleted cannot be compared
		return c, false, err
	}
	if status != http.StatusOK {
		return c, false, fmt.Errorf("comparing versions %s and %s: status %d: %.200s", before, version, status, body.Bytes())
	}
	var answer struct {
		Code string `json:"dataset_code"`
		Name string `json:"dataset_name"`

		Data                    json.RawMessage
		Added, Revised, Removed int
	}
	if err := json.Unmarshal(body.Bytes(), &answer); err != nil {
		return c, false, fmt.Errorf("comparing versions %s and %s: %w", before, version, err)
	}
	if e := f.store.Catalog().Entry(dataset); e != nil {
		c.Reference = e.Source + ":" + e.Code
	}
	c.Name, c.Page, c.Revisions = answer.Name, fmt.Sprintf("%s/datasets/%d", f.base, dataset), answer.Data
	c.Added, c.Revised, c.Removed = answer.Added, answer.Revised, answer.Removed
	return c, c.Added+c.Revised+c.Removed > 0, nil
}
