package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/stat"
)

// limits answers with how much of the caller's daily limit is left.
func (x *exchange) limits() (reply, error) {
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return reply{}, err
	}
	s, err := x.api.access.Standing(x.r.Context(), x.caller)
	if err != nil {
		return reply{}, err
	}
	number := func(buf []byte, name string, n int64) []byte { return strconv.AppendInt(appendName(buf, name), n, 10) }
	text := appendText([]byte{'{'}, "tier", string(s.Tier))
	limited := s.Limit != access.Unlimited
	if limited {
		text = number(text, "limit", int64(s.Limit))
	}
	if limited || x.caller.Account != 0 { // anonymous callers without a limit are not counted
		text = number(text, "used", s.Used)
	}
	if limited {
		text = number(text, "remaining", s.Remaining())
	}
	text = append(number(text, "reset", s.Reset.Unix()), '}')
	return reply{contentType: applicationJSON, body: newBody(text), cache: privateNoStore}, nil
}

// createAccount makes a free account for whoever asks, and answers with its
// key: a few a day for each address.
func (x *exchange) createAccount() (rep reply, err error) {
	most := x.api.freeAccounts
	if most == 0 {
		return reply{}, &refusal{http.StatusForbidden, "accounts are not made here by themselves; whoever runs this service makes them"}
	}
	ticket, err := x.api.access.AdmitAccount(x.address(), most)
	if err != nil {
		return reply{}, err
	}
	if !ticket.Admitted {
		said := fmt.Sprintf("the accounts that one address may ask for in a day, %s, are used up; the next can be asked for from midnight UTC, %s",
			most, ticket.Reset.UTC().Format(time.RFC3339))
		return reply{}, x.tooMany(&ticket.Standing, &x.api.allowances.accounts, said)
	}
	defer func() {
		// To ask whether a name is taken counts, or anybody could ask for all.
		if err != nil && stat.KindOf(err) != stat.Conflict {
			ticket.Refund()
		}
	}()
	body, err := x.readJSON(request.MaxAccount)
	if err != nil {
		return reply{}, err
	}
	if err := request.Bind(x.r.URL.RawQuery, &request.None{}); err != nil {
		return reply{}, err
	}
	name, err := request.ReadAccount(body)
	if err != nil {
		return reply{}, err
	}
	key, err := x.api.access.SignUp(x.r.Context(), name)
	if err != nil {
		return reply{}, err
	}
	text := appendText([]byte{'{'}, "key", key.Secret)
	text = appendText(text, "id", key.ID)
	text = appendText(text, "account", key.Account)
	text = appendText(text, "organisation", key.Organisation)
	text = append(appendText(text, "tier", string(key.Tier)), '}')
	return reply{status: http.StatusCreated, contentType: applicationJSON, body: newBody(text), cache: noStore, changed: true}, nil
}
