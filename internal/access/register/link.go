package register

import (
	"context"
	"strings"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// LinkSubject begins the subjects under which the uses of links are counted; the link's ID
// follows.
const LinkSubject = "link:"

// Link is the row of a link, with its account.
type Link struct {
	ID      string
	Account Account
	Dataset int
	Form    string
	Query   string
	Created time.Time
	Expires time.Time // zero: never
	Revoked time.Time // zero: not revoked
}

const (
	linkColumns = `link.id, link.dataset, link.form, link.query, link.created, link.expires, link.revoked, ` + accountColumns
	linkTables  = `link JOIN account ON account.id = link.account JOIN organisation ON organisation.id = account.organisation`
)

func scanLink(row database.Row) (l Link, err error) {
	own := []any{&l.ID, &l.Dataset, &l.Form, &l.Query, scanTime{&l.Created}, scanTime{&l.Expires}, scanTime{&l.Revoked}}
	err = row.Scan(append(own, l.Account.fields()...)...)
	return l, err
}

// ChangedLinks returns the links that changed after a generation, or whose accounts did.
func (r *DB) ChangedLinks(ctx context.Context, generation int64) ([]Link, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+linkColumns+` FROM `+linkTables+`
		WHERE link.generation > $1 OR account.generation > $1`, generation)
	links, err := database.Collect(rows, err, scanLink)
	return links, stat.Wrap(err, "reading the links")
}

// Links returns all links, by account and time of creation.
func (r *DB) Links(ctx context.Context) ([]Link, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT `+linkColumns+` FROM `+linkTables+`
		ORDER BY account.name_key, link.created, link.id`)
	links, err := database.Collect(rows, err, scanLink)
	return links, stat.Wrap(err, "listing the links")
}

// LinkUses returns how often links were used since a day, by the link's ID.
func (r *DB) LinkUses(ctx context.Context, since int64) (map[string]int64, error) {
	uses := map[string]int64{}
	rows, err := r.db.QueryContext(ctx, `SELECT subject, CAST(sum(used - spare) AS BIGINT) FROM usage
		WHERE day >= $1 AND subject LIKE '`+LinkSubject+`%' GROUP BY subject`, since)
	err = database.Each(rows, err, func(row database.Row) error {
		var id string
		var used int64
		err := row.Scan(&id, &used)
		uses[strings.TrimPrefix(id, LinkSubject)] = used
		return err
	})
	return uses, stat.Wrap(err, "counting the uses of links")
}

// Link returns the link with an ID; its ID is empty if there is none.
func (ch *Change) Link(ctx context.Context, id string) (Link, error) {
	l, err := scanLink(ch.tx.QueryRowContext(ctx, `SELECT `+linkColumns+` FROM `+linkTables+` WHERE link.id = $1`, id))
	return l, ifFound(err, "looking for link %s", id)
}

// AddLink adds a link to its account.
func (ch *Change) AddLink(ctx context.Context, l Link) error {
	_, err := ch.tx.ExecContext(ctx, `INSERT INTO link (id, account, dataset, form, query, created, expires, revoked, generation)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)`, l.ID, l.Account.ID, l.Dataset, l.Form, l.Query, unixSeconds(l.Created), unixSeconds(l.Expires), ch.generation)
	return wrapChange(err, "adding a link")
}

// RevokeLink sets when a link was revoked.
func (ch *Change) RevokeLink(ctx context.Context, id string, at time.Time) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE link SET revoked = $1, generation = $2 WHERE id = $3", unixSeconds(at), ch.generation, id)
	return wrapChange(err, "revoking link %s", id)
}
