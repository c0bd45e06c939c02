package api

import (
	"fmt"
	"net/http"
	"time"

	"almanac/internal/access"
	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/stat"
)

func (x *exchange) limits() (*reply, error) {
	s, err := x.api.opts.Access.Standing(x.r.Context(), x.caller)
	if err != nil {
		return nil, err
	}
	text := json.AppendText([]byte{'{'}, "tier", string(s.Tier))
	isLimited := s.Limit != access.Unlimited
	if isLimited {
		text = json.AppendInt(text, "limit", int64(s.Limit))
	}
	if isLimited || x.caller.Account != 0 { // unlimited anonymous callers are not counted
		text = json.AppendInt(text, "used", s.Used)
	}
	if isLimited {
		text = json.AppendInt(text, "remaining", s.Remaining())
	}
	text = append(json.AppendInt(text, "reset", s.Reset.Unix()), '}')
	return &reply{body: newBody(text), cacheControl: privateNoStore}, nil
}

// createAccount creates a free account and replies with its key. The number per client
// address and day is limited.
func (x *exchange) createAccount() (rep *reply, err error) {
	limit := x.api.opts.FreeAccounts
	if limit == 0 {
		return nil, &refusal{http.StatusForbidden, "this service does not offer free accounts; ask its operator for an account"}
	}
	ticket, err := x.api.opts.Access.AdmitAccount(x.clientAddress(), limit)
	if err != nil {
		return nil, err
	}
	if !ticket.Admitted {
		message := fmt.Sprintf("the daily limit of new accounts for one address (%s) is used up; it resets at midnight UTC, %s",
			limit, ticket.Reset.UTC().Format(time.RFC3339))
		return nil, x.tooMany(&ticket.Standing, x.api.accountPolicy, message)
	}
	defer func() {
		// A taken name counts, so that names cannot be enumerated.
		if err != nil && stat.KindOf(err) != stat.Conflict {
			ticket.Refund()
		}
	}()
	body, err := x.readJSON(request.MaxAccount)
	if err != nil {
		return nil, err
	}
	if _, err := bind[request.None](x); err != nil {
		return nil, err
	}
	name, err := request.ReadAccount(body)
	if err != nil {
		return nil, err
	}
	key, err := x.api.opts.Access.SignUp(x.r.Context(), name)
	if err != nil {
		return nil, err
	}
	text := json.AppendText([]byte{'{'}, "key", key.Secret)
	text = json.AppendText(text, "id", key.ID)
	text = json.AppendText(text, "account", key.Account)
	text = json.AppendText(text, "organisation", key.Organisation)
	text = append(json.AppendText(text, "tier", string(key.Tier)), '}')
	return &reply{status: http.StatusCreated, body: newBody(text), cacheControl: noStore, ignoresCoding: true}, nil
}
