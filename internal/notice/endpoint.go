package notice

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Endpoint is an address that receives the webhooks of an organisation.
type Endpoint struct {
	ID           int64
	Organisation int64
	Address      string
	Created      time.Time
	FailingSince time.Time // the first failed attempt since the last success; zero: it works
	Disabled     time.Time // zero: it is in use
}

// Limits of endpoints.
const (
	maxEndpoints = 10 // of an organisation
	maxAddress   = 2000
	secretLength = 32
	// secretPrefix begins secrets, as Standard Webhooks has it.
	secretPrefix = "whsec_"
)

const endpointColumns = "id, organisation, address, created, failing_since, disabled"

func scanEndpoint(row database.Row) (e Endpoint, err error) {
	err = row.Scan(&e.ID, &e.Organisation, &e.Address, scanTime{&e.Created}, scanTime{&e.FailingSince}, scanTime{&e.Disabled})
	return e, err
}

// CreateEndpoint adds an address, and returns the secret that its messages are signed with, which
// cannot be read again. The error is [stat.Invalid] if the address is none of a web server or not
// allowed (see [DB.Networks]), or the organisation has ten endpoints.
func (d *DB) CreateEndpoint(ctx context.Context, organisation int64, address string, now time.Time) (e Endpoint, secret string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || len(address) > maxAddress {
		return e, "", stat.Errorf(stat.Invalid, "%.100q is not the address of a web server; write one such as https://example.org/hooks", address)
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !slices.ContainsFunc(d.Networks, func(n netip.Prefix) bool { return n.Contains(ip.Unmap()) }) {
		return e, "", stat.Errorf(stat.Invalid, "%.100q has an IP address that is in no network to which the operator allows messages; write one with a host name, such as https://example.org/hooks", address)
	}
	if u.Scheme == "http" && len(d.Networks) == 0 {
		return e, "", stat.Errorf(stat.Invalid, "%.100q is an address of http, and messages are sent by https only, unless the operator allows private networks", address)
	}
	key, sealed := d.newSecret()
	if e, err = d.addEndpoint(ctx, organisation, address, sealed, now); err != nil {
		return e, "", stat.Wrap(err, "adding an endpoint")
	}
	return e, secretPrefix + base64.StdEncoding.EncodeToString(key), nil
}

func (d *DB) addEndpoint(ctx context.Context, organisation int64, address string, sealed []byte, now time.Time) (e Endpoint, err error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return e, err
	}
	defer tx.Rollback()
	// Changing the endpoints has others wait who add one, so that they count this one.
	if _, err := tx.ExecContext(ctx, "UPDATE endpoint SET organisation = organisation WHERE organisation = $1", organisation); err != nil {
		return e, err
	}
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM endpoint WHERE organisation = $1 AND person = ''", organisation).Scan(&n); err != nil {
		return e, err
	}
	if n >= maxEndpoints {
		return e, stat.Errorf(stat.Invalid, "an organisation has at most %d endpoints; remove one first", maxEndpoints)
	}
	e, err = scanEndpoint(tx.QueryRowContext(ctx, "INSERT INTO endpoint (organisation, address, secret, created) VALUES ($1, $2, $3, $4) RETURNING "+endpointColumns,
		organisation, address, sealed, millis(now)))
	if err != nil {
		return e, err
	}
	return e, tx.Commit()
}

// Endpoints lists the endpoints of an organisation.
func (d *DB) Endpoints(ctx context.Context, organisation int64) ([]Endpoint, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT "+endpointColumns+" FROM endpoint WHERE organisation = $1 AND person = '' ORDER BY id", organisation)
	list, err := database.Collect(rows, err, scanEndpoint)
	return list, stat.Wrap(err, "listing the endpoints of an organisation")
}

// RemoveEndpoint removes an endpoint with its messages. The error is [stat.NotFound] if the
// organisation does not have it.
func (d *DB) RemoveEndpoint(ctx context.Context, organisation, id int64) error {
	return d.changeEndpoint(ctx, "removing an endpoint", "DELETE FROM endpoint WHERE organisation = $1 AND id = $2 AND person = ''", organisation, id)
}

// EnableEndpoint puts a disabled endpoint to use again. The error is [stat.NotFound] if the
// organisation does not have it.
func (d *DB) EnableEndpoint(ctx context.Context, organisation, id int64) error {
	return d.changeEndpoint(ctx, "enabling an endpoint", "UPDATE endpoint SET disabled = 0, failing_since = 0 WHERE organisation = $1 AND id = $2 AND person = ''", organisation, id)
}

func (d *DB) changeEndpoint(ctx context.Context, doing, statement string, organisation, id int64) error {
	result, err := d.db.ExecContext(ctx, statement, organisation, id)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return stat.Errorf(stat.NotFound, "there is no endpoint %d", id)
}

// target returns the address of an endpoint, and the secret that its messages are signed with.
func (d *DB) target(ctx context.Context, id int64) (address string, secret []byte, err error) {
	var sealed []byte
	if err := d.db.QueryRowContext(ctx, "SELECT address, secret FROM endpoint WHERE id = $1", id).Scan(&address, &sealed); err != nil {
		return "", nil, fmt.Errorf("reading endpoint %d: %w", id, err)
	}
	if secret, err = d.sealer.Open(nil, nil, sealed, nil); err != nil {
		return "", nil, fmt.Errorf("the secret of endpoint %d was encrypted with another key: %w", id, err)
	}
	return address, secret, nil
}
