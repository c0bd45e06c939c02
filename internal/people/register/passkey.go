package register

import (
	"context"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Passkey is a key of a device with which a person signs in.
type Passkey struct {
	ID         string // of the credential
	Person     string
	Name       string
	Credential string // JSON
	Created    time.Time
	Used       time.Time // zero: not yet
}

const passkeyColumns = "id, person, name, credential, created, used"

func scanPasskey(row database.Row) (k Passkey, err error) {
	err = row.Scan(&k.ID, &k.Person, &k.Name, &k.Credential, scanTime{&k.Created}, scanTime{&k.Used})
	return k, err
}

// AddPasskey adds a passkey. It reports false if there is one with its id.
func (r *DB) AddPasskey(ctx context.Context, k Passkey) (bool, error) {
	isAdded, err := happened(ctx, r.db, "INSERT INTO passkey ("+passkeyColumns+") VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT DO NOTHING",
		k.ID, k.Person, k.Name, k.Credential, unixSeconds(k.Created))
	return isAdded, wrapChange(err, "adding a passkey")
}

// Passkeys returns the passkeys of a person, the oldest first.
func (r *DB) Passkeys(ctx context.Context, person string) ([]Passkey, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT "+passkeyColumns+" FROM passkey WHERE person = $1 ORDER BY created, id", person)
	list, err := database.Collect(rows, err, scanPasskey)
	return list, stat.Wrap(err, "listing passkeys")
}

// UsePasskey records that a passkey was used, and what it is afterwards.
func (r *DB) UsePasskey(ctx context.Context, id, credential string, now time.Time) error {
	_, err := r.db.ExecContext(ctx, "UPDATE passkey SET credential = $1, used = $2 WHERE id = $3", credential, now.Unix(), id)
	return wrapChange(err, "recording the use of a passkey")
}

// RemovePasskey removes a passkey of a person. It reports whether there was one.
func (r *DB) RemovePasskey(ctx context.Context, person, id string) (bool, error) {
	isRemoved, err := happened(ctx, r.db, "DELETE FROM passkey WHERE person = $1 AND id = $2", person, id)
	return isRemoved, wrapChange(err, "removing a passkey")
}

// Answer records that a challenge was answered. It reports false if it was answered before.
func (r *DB) Answer(ctx context.Context, mac string, ends time.Time) (bool, error) {
	isFirst, err := happened(ctx, r.db, "INSERT INTO answered (mac, ends) VALUES ($1, $2) ON CONFLICT DO NOTHING", mac, ends.Unix())
	return isFirst, wrapChange(err, "recording the answer to a challenge")
}
