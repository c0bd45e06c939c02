package people

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"almanac/internal/stat"
)

// errTicket is the error for a ticket that was made for something else, was used, or has ended.
var errTicket = errors.New("the ticket cannot be used")

// ticket is what a browser keeps, encrypted, until it brings an answer from elsewhere. Making one
// writes nothing. It counts once.
type ticket struct {
	ID      string
	Ends    time.Time
	Content json.RawMessage
}

// sealTicket makes a ticket for a use.
func (p *People) sealTicket(use string, life time.Duration, content any) (string, error) {
	inner, err := json.Marshal(content)
	if err != nil {
		return "", stat.Wrap(err, "writing a ticket")
	}
	text, err := json.Marshal(ticket{newID(), p.now().Add(life), inner})
	return p.secret.seal("ticket "+use, string(text)), stat.Wrap(err, "writing a ticket")
}

// openTicket uses a ticket and reads what is in it. The error is [errTicket] if it cannot be used.
func (p *People) openTicket(ctx context.Context, use, sealed string, content any) error {
	text, err := p.secret.open("ticket "+use, sealed)
	if err != nil {
		return errTicket
	}
	var t ticket
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return stat.Wrap(err, "reading a ticket")
	}
	if !t.Ends.After(p.now()) {
		return errTicket
	}
	isFirst, err := p.db.Answer(ctx, p.secret.mac("ticket", t.ID), t.Ends)
	if err == nil && !isFirst {
		err = errTicket
	}
	if err != nil {
		return err
	}
	return stat.Wrap(json.Unmarshal(t.Content, content), "reading a ticket")
}
