package access

import (
	"context"

	"almanac/internal/access/register"
)

// decide admits or refuses the requests of a batch, with one transaction for all that no
// reservation covers and for the refunds, and then wakes them.
func (l *limiter) decide(batch []*admission) {
	waiting := map[counter][]*admission{} // so that there is one claim for each counter
	for _, a := range batch {
		if a.isRefund {
			l.mu.Lock()
			l.refunds[a.counter]++
			l.mu.Unlock()
			continue
		}
		// The reservation may have grown while the request was waiting.
		if used, ok := l.admitReserved(a.counter, a.limit); ok {
			a.used, a.isAdmitted = used, true
			continue
		}
		waiting[a.counter] = append(waiting[a.counter], a)
	}
	if err := l.write(waiting); err != nil {
		err = errCannotCount(err)
		for _, a := range batch {
			if !a.isAdmitted {
				a.err = err // refunds are kept and written later
			}
		}
	}
	for _, a := range batch {
		close(a.done)
	}
}

// write claims the waiting requests and writes the refunds in one transaction, and
// admits as many requests as were granted.
func (l *limiter) write(waiting map[counter][]*admission) error {
	var claims []register.Claim
	for c, n := range l.refunds {
		claims = append(claims, register.Claim{Subject: c.subject, Day: c.day, Refunds: n})
	}
	refunds := len(claims)
	for c, list := range waiting {
		limit := list[len(list)-1].limit // the newest
		claim := register.Claim{Subject: c.subject, Day: c.day, Limit: limit.number(), Requests: int64(len(list)), Reserve: limit.allowsReservations()}
		if r := l.reservation(c); r != nil {
			r.mu.Lock()
			claim.Spent, r.spent = r.spent, 0 // from here on, refunds are written separately
			r.mu.Unlock()
		}
		claims = append(claims, claim)
	}
	grants, err := l.claim(claims)
	if err == nil {
		l.mu.Lock()
		clear(l.refunds)
		l.mu.Unlock()
	}
	for i, claim := range claims[refunds:] {
		c := counter{claim.Subject, claim.Day}
		if err == nil {
			l.admitGranted(c, waiting[c], grants[refunds+i])
		} else if r := l.reservation(c); r != nil {
			r.mu.Lock()
			r.spent += claim.Spent
			r.mu.Unlock()
		}
	}
	return err
}

// claim writes claims. It has no context of a request, because it serves all requests
// of the batch.
func (l *limiter) claim(claims []register.Claim) ([]register.Grant, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	grants, err := l.db.Grant(context.Background(), claims)
	l.isFailing.Store(err != nil)
	return grants, err
}

// admitGranted admits the first waiting requests, as many as were granted, and adds to
// the reservation.
func (l *limiter) admitGranted(c counter, waiting []*admission, g register.Grant) {
	used := g.Used - g.Spare - g.Admitted
	for i, a := range waiting {
		if int64(i) < g.Admitted {
			used++
			a.isAdmitted = true
		}
		a.used = used
	}
	r := l.reservation(c)
	if r == nil {
		if !waiting[len(waiting)-1].limit.allowsReservations() || g.Admitted == 0 {
			return
		}
		r = &reservation{}
		l.mu.Lock()
		l.reservations[c] = r
		l.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used, r.isIdle = g.Used, false
	r.spare += g.Spare
}

// returnReservations returns the reservations that were not used since the last tick, or
// all of them, and writes the pending refunds.
func (l *limiter) returnReservations(all bool) {
	returned := map[counter]*reservation{}
	var claims []register.Claim
	l.mu.RLock()
	for c, r := range l.reservations {
		r.mu.Lock()
		if r.isIdle || all {
			r.isReturned = true // from here on, nothing changes it: requests wait for the goroutine
			returned[c] = r
			claims = append(claims, register.Claim{Subject: c.subject, Day: c.day, Spent: r.spent, Returned: r.spare})
		}
		r.isIdle = true
		r.mu.Unlock()
	}
	l.mu.RUnlock()
	_, err := l.claim(claims)
	l.mu.Lock()
	for c, r := range returned {
		if err == nil {
			delete(l.reservations, c)
			continue
		}
		r.mu.Lock()
		r.isReturned = false
		r.mu.Unlock()
	}
	l.mu.Unlock()
	if err == nil {
		err = l.write(nil)
	}
	if err != nil {
		l.log.Warn("unused reservations and refunds cannot be written", "error", err)
	}
}
