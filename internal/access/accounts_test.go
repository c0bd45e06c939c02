package access_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/access"
	"almanac/internal/stat"
)

// CreateKey creates the account if it is new, and by default an organisation of the same
// name.
func TestCreateKeyCreatesAccount(t *testing.T) {
	a := open(t, access.Options{})
	ctx := context.Background()
	for _, c := range []struct {
		request access.KeyRequest
		want    access.Key // fields that differ in each run are left out
	}{
		{access.KeyRequest{Account: "desk"}, access.Key{Account: "desk", Organisation: "desk", Tier: access.Essential}},
		{access.KeyRequest{Account: " Data  team ", Organisation: "Daily\tNews", Tier: access.Pro}, access.Key{Account: "Data team", Organisation: "Daily News", Tier: access.Pro}},
		{access.KeyRequest{Account: "DESK"}, access.Key{Account: "desk", Organisation: "desk", Tier: access.Essential}},
		{access.KeyRequest{Account: "second desk", Organisation: "daily news"}, access.Key{Account: "second desk", Organisation: "Daily News", Tier: access.Essential}},
		{access.KeyRequest{Account: "data team", Organisation: "DAILY NEWS", Tier: access.Pro}, access.Key{Account: "Data team", Organisation: "Daily News", Tier: access.Pro}},
		{access.KeyRequest{Account: "Büro für Statistik"}, access.Key{Account: "Büro für Statistik", Organisation: "Büro für Statistik", Tier: access.Essential}},
		{access.KeyRequest{Account: "Bu\u0308ro für Statistik"}, access.Key{Account: "Büro für Statistik", Organisation: "Büro für Statistik", Tier: access.Essential}},
	} {
		created, err := a.CreateKey(ctx, c.request)
		if err != nil {
			t.Fatalf("%+v: %v", c.request, err)
		}
		c.want.ID, c.want.Created, c.want.State = created.ID, created.Created, access.Valid
		if diff := cmp.Diff(c.want, created.Key); diff != "" {
			t.Errorf("%+v: %s", c.request, diff)
		}
	}
	for _, c := range []struct {
		request access.KeyRequest
		kind    stat.Kind
		message string
	}{
		{access.KeyRequest{Account: "desk", Tier: access.Pro}, stat.Conflict, `account "desk" has tier essential, not pro`},
		{access.KeyRequest{Account: "desk", Organisation: "Daily News"}, stat.Conflict, `belongs to organisation "desk", not to "Daily News"`},
		{access.KeyRequest{Account: "desk", Organisation: "nobody"}, stat.Conflict, `belongs to organisation "desk"`},
		{access.KeyRequest{Account: " "}, stat.Invalid, "is empty"},
		// These are invisible or unreadable.
		{access.KeyRequest{Account: "\u200d \u200c"}, stat.Invalid, "must contain a letter"},
		{access.KeyRequest{Account: "\u2800"}, stat.Invalid, "must contain a letter"},
		{access.KeyRequest{Account: "\u3164\ufe0f"}, stat.Invalid, "must contain a letter"},
		{access.KeyRequest{Account: "-"}, stat.Invalid, "must contain a letter"},
		{access.KeyRequest{Account: strings.Repeat("ä", 101)}, stat.Invalid, "1 to 100 characters, not 101"},
		{access.KeyRequest{Account: "a\x00b"}, stat.Invalid, "U+0000"},
		{access.KeyRequest{Account: "a\u202eb"}, stat.Invalid, "U+202E"},
		{access.KeyRequest{Account: "for alm_" + strings.Repeat("x", 46)}, stat.Invalid, "contains a key, for alm_xxxxxxxx…"},
		{access.KeyRequest{Account: "a\xff"}, stat.Invalid, "UTF-8"},
		{access.KeyRequest{Account: "a\ufffd"}, stat.Invalid, "U+FFFD"}, // stands for invalid UTF-8
		{access.KeyRequest{Account: "a\ue000"}, stat.Invalid, "U+E000"},
		{access.KeyRequest{Account: "a\uffff"}, stat.Invalid, "U+FFFF"},
		{access.KeyRequest{Account: "new", Organisation: "\x01"}, stat.Invalid, "organisation"},
		{access.KeyRequest{Account: "new", Expires: noon().Add(-time.Second)}, stat.Invalid, "in the past"},
	} {
		_, err := a.CreateKey(ctx, c.request)
		wantKind(t, c.request.Account, err, c.kind, c.message)
	}
	accounts, err := a.Accounts(ctx)
	if err != nil || len(accounts) != 4 || accounts[0].Name != "Büro für Statistik" && accounts[0].Name != "Data team" {
		t.Errorf("the accounts are %+v, %v", accounts, err)
	}
	organisations, err := a.Organisations(ctx)
	if err != nil || len(organisations) != 3 {
		t.Errorf("the organisations are %+v, %v", organisations, err)
	}
	for _, o := range organisations {
		if o.Name == "Daily News" && o.Accounts != 2 {
			t.Errorf("%+v", o)
		}
	}
}

// Names can be in any script. They are compared without regard to case and joiners.
func TestNamesOfAllScripts(t *testing.T) {
	a := open(t, access.Options{})
	for _, same := range [][]string{
		{"خبرگزاری\u200cها", "خبرگزاریها"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", "Σίσυφοσ"},
		{"Straße", "STRASSE", "strasse"},
		{"👨\u200d👩\u200d👧 news"},
		{"統計局", "統計局\ufe0f"},
		{"மக்கள்"},
		{"Ærø Statistik", "ÆRØ STATISTIK"},
	} {
		first, err := a.SignUp(context.Background(), same[0])
		if err != nil || first.Account != same[0] {
			t.Errorf("%q: %q, %v", same[0], first.Account, err)
		}
		for _, again := range same {
			_, err := a.SignUp(context.Background(), again)
			wantKind(t, again, err, stat.Conflict, "taken")
		}
	}
}

// Organisations and accounts can be created without keys, once.
func TestCreate(t *testing.T) {
	a := open(t, access.Options{})
	ctx := context.Background()
	if o, err := a.CreateOrganisation(ctx, "Daily News"); err != nil || o.Name != "Daily News" || o.Created.IsZero() {
		t.Fatalf("%+v, %v", o, err)
	}
	_, err := a.CreateOrganisation(ctx, "daily news")
	wantKind(t, "the same organisation", err, stat.Conflict, `"Daily News"`)
	if account, err := a.CreateAccount(ctx, "desk", "DAILY NEWS", access.Pro); err != nil || account.Organisation != "Daily News" || account.Tier != access.Pro {
		t.Fatalf("%+v, %v", account, err)
	}
	_, err = a.CreateAccount(ctx, "Desk", "", access.Pro)
	wantKind(t, "the same account", err, stat.Conflict, `"desk"`)
	if account, err := a.SetTier(ctx, "desk", access.Essential); err != nil || account.Tier != access.Essential {
		t.Errorf("%+v, %v", account, err)
	}
	_, err = a.SetTier(ctx, "nobody", access.Pro)
	wantKind(t, "the tier of an unknown account", err, stat.NotFound, `"nobody"`)
	_, err = a.Keys(ctx, "nobody")
	wantKind(t, "the keys of an unknown account", err, stat.NotFound, `"nobody"`)
}

// SignUp creates an Essential account with a key; its names must be unused.
func TestSignUp(t *testing.T) {
	a := open(t, access.Options{})
	ctx := context.Background()
	created, err := a.SignUp(ctx, "Ada")
	if err != nil || created.Tier != access.Essential || created.Organisation != "Ada" {
		t.Fatalf("%+v, %v", created.Key, err)
	}
	if _, err := a.Verify(created.Secret, netip.Addr{}); err != nil {
		t.Errorf("the new key is not valid: %v", err)
	}
	_, err = a.SignUp(ctx, "ADA")
	wantKind(t, "the same name", err, stat.Conflict, `"ADA" is taken`)
	if _, err := a.CreateOrganisation(ctx, "Daily News"); err != nil {
		t.Fatal(err)
	}
	_, err = a.SignUp(ctx, "daily news")
	wantKind(t, "an organisation's name", err, stat.Conflict, "taken")
}

// Rotation creates a new key at once. The old key stays valid for the overlap, but not
// beyond its own expiry.
func TestRotate(t *testing.T) {
	now := newClock("2026-11-21T12:00:00Z")
	a := open(t, access.Options{Now: now.Now})
	ctx := context.Background()
	old := newKey(t, a, "desk")
	rotated, previous, err := a.RotateKey(ctx, old.ID, time.Hour, now.Now().Add(48*time.Hour), "")
	if err != nil || rotated.Account != "desk" || rotated.ID == old.ID || !rotated.Expires.Equal(now.Now().Add(48*time.Hour)) || previous.ID != old.ID || !previous.Expires.Equal(now.Now().Add(time.Hour)) {
		t.Fatalf("%+v, %v", rotated.Key, err)
	}
	valid := func(key access.NewKey) bool { _, err := a.Verify(key.Secret, netip.Addr{}); return err == nil }
	if !valid(old) || !valid(rotated) {
		t.Error("both keys must be valid during the overlap")
	}
	now.step(time.Hour)
	if valid(old) || !valid(rotated) {
		t.Error("after the overlap, only the new key must be valid")
	}
	_, _, err = a.RotateKey(ctx, old.ID, time.Hour, time.Time{}, "")
	wantKind(t, "an expired key", err, stat.Conflict, "is expired")
	for _, overlap := range []time.Duration{-time.Second, access.MaxOverlap + time.Second} {
		_, _, err = a.RotateKey(ctx, rotated.ID, overlap, time.Time{}, "")
		wantKind(t, "the overlap "+overlap.String(), err, stat.Invalid, "168h")
	}
	last, _, err := a.RotateKey(ctx, rotated.Secret, 0, time.Time{}, "")
	if err != nil || valid(rotated) || !valid(last) {
		t.Errorf("without overlap: %v", err)
	}
	short, err := a.CreateKey(ctx, access.KeyRequest{Account: "desk", Expires: now.Now().Add(time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.RotateKey(ctx, short.ID, time.Hour, time.Time{}, ""); err != nil {
		t.Fatal(err)
	}
	now.step(time.Minute)
	if valid(short) {
		t.Error("rotation extended the life of the old key")
	}
	keys, err := a.Keys(ctx, "DESK")
	if err != nil || len(keys) != 5 {
		t.Fatalf("%+v, %v", keys, err)
	}
	for _, k := range keys {
		wantState := map[bool]string{true: access.Valid, false: access.Expired}[k.Expires.IsZero()]
		if k.State != wantState {
			t.Errorf("%+v", k)
		}
	}
}

// A key is revoked for good, by public id or by the key itself. Revoking it again changes
// nothing.
func TestRevoke(t *testing.T) {
	now := newClock("2026-11-21T12:00:00Z")
	a := open(t, access.Options{Now: now.Now})
	ctx := context.Background()
	one, two := newKey(t, a, "desk"), newKey(t, a, "desk")
	for _, named := range []string{one.ID, two.Secret} {
		k, err := a.RevokeKey(ctx, named)
		if err != nil || k.State != access.Revoked || !k.Revoked.Equal(now.Now()) {
			t.Errorf("%+v, %v", k, err)
		}
	}
	previous := now.Now()
	now.step(time.Hour)
	if k, err := a.RevokeKey(ctx, one.ID); err != nil || !k.Revoked.Equal(previous) {
		t.Errorf("revoked again: %+v, %v", k, err)
	}
	_, err := a.RevokeKey(ctx, "nobodys1")
	wantKind(t, "an unknown id", err, stat.NotFound, "nobodys1")
	foreign := newKey(t, open(t, access.Options{}), "desk")
	_, err = a.RevokeKey(ctx, foreign.Secret)
	wantKind(t, "an unknown key", err, stat.NotFound, "alm_"+foreign.ID)
	if strings.Contains(err.Error(), foreign.Secret[12:44]) {
		t.Errorf("the error contains the secret: %v", err)
	}
	// The id of a key with another secret is not a key, even with a valid checksum.
	three := newKey(t, a, "desk")
	forged := withChecksum(three.Secret[:12] + foreign.Secret[12:44])
	_, err = a.RevokeKey(ctx, forged)
	wantKind(t, "revoking with a forged key", err, stat.NotFound, "alm_"+three.ID)
	_, _, err = a.RotateKey(ctx, forged, 0, time.Time{}, "")
	wantKind(t, "rotating with a forged key", err, stat.NotFound, "alm_"+three.ID)
	if _, err := a.Verify(three.Secret, netip.Addr{}); err != nil {
		t.Errorf("a forged key revoked the real one: %v", err)
	}
	_, _, err = a.RotateKey(ctx, one.ID, 0, time.Time{}, "")
	wantKind(t, "rotating it", err, stat.Conflict, "is revoked")
}

// The last use of a key is recorded.
func TestLastUsed(t *testing.T) {
	dir := t.TempDir()
	now := newClock("2026-11-21T12:00:00Z")
	a := open(t, access.Options{Dir: dir, Now: now.Now})
	used, unused := newKey(t, a, "desk"), newKey(t, a, "desk")
	now.step(time.Minute)
	if _, err := a.Verify(used.Secret, netip.Addr{}); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	keys, err := open(t, access.Options{Dir: dir}).Keys(context.Background(), "")
	if err != nil || len(keys) != 2 {
		t.Fatalf("%+v, %v", keys, err)
	}
	for _, k := range keys {
		if k.ID == used.ID && !k.LastUsed.Equal(now.Now()) || k.ID == unused.ID && !k.LastUsed.IsZero() {
			t.Errorf("%+v", k)
		}
	}
}
