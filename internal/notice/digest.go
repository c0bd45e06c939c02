package notice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// digestKind is the kind of messages that are mails.
const digestKind = "digest"

// Digest is a mail to a person on what changed in what an organisation follows.
type Digest struct {
	Subscription Subscription
	News         []News // of each dataset at most one
	Message      string // the same at each attempt
	Unsubscribe  string // the token that ends the subscription
}

// Mailer sends digests.
type Mailer interface {
	// Mail sends a digest. It calls handOver immediately before it gives the mail to the mail
	// server, and does not give it if that fails. isSent is false if nothing differs any more. The error
	// is [ErrGone] if the person is no longer a member of the organisation, and [ErrRefused] if the
	// server will never accept the mail.
	Mail(ctx context.Context, d Digest, handOver func() error) (isSent bool, err error)
}

// Errors of a [Mailer].
var (
	ErrGone    = errors.New("the person is no longer a member of the organisation")
	ErrRefused = errors.New("the mail server refuses the mail")
)

// mail makes one attempt to send a mail. A mail that was handed over to the mail server is not
// sent again if this process ends before it has the answer: it would arrive twice.
func (n *Notifier) mail(ctx context.Context, one *Delivery, a attempt) (attempt, error) {
	d, err := n.opts.DB.digest(ctx, one)
	if err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	isSent, err := n.opts.Mailer.Mail(ctx, d, func() error { return n.opts.DB.handOver(ctx, one) })
	switch {
	case err == nil && isSent:
		a.isDone, a.answer = true, "accepted by the mail server"
	case err == nil:
		a.isDone, a.answer = true, "not sent: nothing differs any more"
	default:
		a.answer = err.Error()
		if a.isGone = errors.Is(err, ErrGone); a.isGone || errors.Is(err, ErrRefused) {
			a.nextTry = time.Time{}
		}
	}
	return a, nil
}

// digest returns the mail of a delivery.
func (d *DB) digest(ctx context.Context, of *Delivery) (g Digest, err error) {
	if g.Subscription, err = d.subscription(ctx, of.Endpoint); err != nil {
		return g, err
	}
	_, secret, err := d.target(ctx, of.Endpoint)
	if err != nil {
		return g, err
	}
	content := body{Data: &g.News}
	if err := json.Unmarshal([]byte(of.Body), &content); err != nil {
		return g, fmt.Errorf("reading message %d: %w", of.ID, err)
	}
	g.Message, g.Unsubscribe = of.Message, tokenOf(of.Endpoint, secret, toUnsubscribe)
	return g, nil
}

// handOver records that a mail is given to the mail server, unless another process has taken it
// since.
func (d *DB) handOver(ctx context.Context, of *Delivery) error {
	result, err := d.db.ExecContext(ctx, "UPDATE delivery SET status = $1 WHERE id = $2 AND fence = $3 AND status = $4", HandedOver, of.ID, of.fence, Waiting)
	if err != nil {
		return fmt.Errorf("recording that a mail is sent: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errors.New("another process sends the mail"))
	}
	return nil
}
