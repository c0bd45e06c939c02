package notice

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Times of sending.
const (
	sendTime     = 15 * time.Second   // how long a receiver may take
	stopTime     = 5 * time.Second    // and how long it may still take when the server stops
	mailTime     = 30 * time.Second   // how long a mail may take until the server has it
	leaseTime    = time.Minute        // how long a process has a delivery
	disableAfter = 7 * 24 * time.Hour // of failures
	keepFor      = 90 * 24 * time.Hour
	trimEvery    = time.Hour
)

// pauses are those between attempts; the last one repeats until the endpoint is disabled.
var pauses = []time.Duration{5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}

// Sign returns the value of the header webhook-signature for a message, as Standard Webhooks
// defines it: the HMAC-SHA-256 of id, time and body.
func Sign(secret []byte, id string, at time.Time, body string) string {
	h := hmac.New(sha256.New, secret)
	fmt.Fprintf(h, "%s.%d.%s", id, at.Unix(), body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// sendDue sends the messages that are due, one after another.
func (n *Notifier) sendDue(ctx context.Context) error {
	for ctx.Err() == nil {
		now := n.opts.Now()
		one, ok, err := n.opts.DB.take(ctx, now, now.Add(leaseTime), n.opts.Mailer != nil)
		if err != nil || !ok {
			return err
		}
		a, err := n.send(ctx, &one)
		if err != nil {
			return err
		}
		if err := n.opts.DB.record(context.WithoutCancel(ctx), &one, a); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// send makes one attempt. The error is that of the database; what the receiver does wrong is in
// the attempt.
func (n *Notifier) send(ctx context.Context, one *Delivery) (a attempt, err error) {
	a.at = n.opts.Now()
	if next := one.Attempts; a.at.Sub(one.Created) < disableAfter {
		a.nextTry = a.at.Add(pauses[min(next, len(pauses)-1)])
	}
	if one.Kind == digestKind {
		return n.mail(ctx, one, a)
	}
	address, secret, err := n.opts.DB.target(ctx, one.Endpoint)
	if err != nil {
		return a, err
	}
	ctx, cancel := sending(ctx)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(one.Body))
	if err != nil {
		a.answer, a.nextTry = err.Error(), time.Time{}
		return a, nil
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "almanac")
	r.Header.Set("webhook-id", one.Message)
	r.Header.Set("webhook-timestamp", strconv.FormatInt(a.at.Unix(), 10))
	r.Header.Set("webhook-signature", Sign(secret, one.Message, a.at, one.Body))
	response, err := n.client.Do(r)
	if err != nil {
		a.answer = reason(err)
		return a, nil
	}
	defer response.Body.Close()
	io.CopyN(io.Discard, response.Body, 64<<10) // so that the connection can be used again
	a.answer = response.Status
	a.isDone = response.StatusCode >= 200 && response.StatusCode < 300
	a.isGone = response.StatusCode == http.StatusGone
	return a, nil
}

// errStopped is why a message is not sent to its end.
var errStopped = errors.New("the server stopped before there was a response")

// sending returns the context in which a message is sent. It ends after sendTime, and stopTime after ctx: if a message that a
// receiver has were cut off at once, the receiver would get it again.
func sending(ctx context.Context) (context.Context, func()) {
	sent, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	sent, end := context.WithCancelCause(sent)
	keep := context.AfterFunc(ctx, func() {
		time.AfterFunc(stopTime, func() { end(errStopped) })
	})
	return sent, func() {
		keep()
		cancel()
	}
}

// reason says why there was no response, without the address.
func reason(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no response within %v", sendTime)
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
