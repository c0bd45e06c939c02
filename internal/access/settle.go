package access

import (
	"context"

	"almanac/internal/access/register"
)

// claim is what a batch wants of one bucket.
type claim struct {
	bucket
	limit Limit // of the newest of them
	wants []*decision
}

// settle decides a batch.
func (m *meter) settle(batch []*decision) {
	if err := m.write(m.claims(batch)); err != nil {
		err = cannotCount(err)
		for _, d := range batch {
			if !d.admitted {
				d.err = err // a refund is kept, and written later
			}
		}
	}
	for _, d := range batch {
		close(d.done)
	}
}

// claims puts a batch together by bucket, so that each is asked for once. What
// a reserve has gained since its requests began to wait is given out first.
func (m *meter) claims(batch []*decision) []*claim {
	at := map[bucket]*claim{}
	var claims []*claim
	for _, d := range batch {
		if d.refund {
			m.keep(d.bucket)
			continue
		}
		if used, ok := m.fromReserve(d.bucket, d.limit); ok {
			d.used, d.admitted = used, true
			continue
		}
		c := at[d.bucket]
		if c == nil {
			c = &claim{bucket: d.bucket}
			at[d.bucket] = c
			claims = append(claims, c)
		}
		c.limit = d.limit
		c.wants = append(c.wants, d)
	}
	return claims
}

// keep notes a refund that is to be written.
func (m *meter) keep(b bucket) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[b]++
}

// write asks the database for all claims in one transaction, writes the refunds
// with it, and gives out what is granted.
func (m *meter) write(claims []*claim) error {
	var asked []register.Claim
	for b, n := range m.kept {
		asked = append(asked, register.Claim{Subject: b.subject, Day: b.day, Back: n})
	}
	first := len(asked)
	for _, c := range claims {
		one := register.Claim{
			Subject: c.subject, Day: c.day, Limit: ceiling(c.limit), Want: int64(len(c.wants)), Reserve: c.limit.reserves(),
		}
		if r := m.reserveOf(c.bucket); r != nil {
			r.mu.Lock()
			one.Spent, r.spent = r.spent, 0 // a refund from here on is written by itself
			r.mu.Unlock()
		}
		asked = append(asked, one)
	}
	grants, err := m.count(asked)
	if err != nil {
		for i, c := range claims {
			m.untold(c.bucket, asked[first+i].Spent)
		}
		return err
	}
	m.mu.Lock()
	clear(m.kept)
	m.mu.Unlock()
	for i, c := range claims {
		m.grant(c, grants[first+i])
	}
	return nil
}

// untold puts back what the database could not be told.
func (m *meter) untold(b bucket, spent int64) {
	if r := m.reserveOf(b); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.spent += spent
	}
}

// count settles claims with the database. Whoever waits has to be answered,
// whatever became of the one who asked first: so no context ends it.
func (m *meter) count(asked []register.Claim) ([]register.Grant, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	grants, err := m.db.Count(context.Background(), asked)
	m.failing.Store(err != nil)
	return grants, err
}

// grant gives out what a claim was granted.
func (m *meter) grant(c *claim, g register.Grant) {
	used := g.Used - g.Spare - g.Wanted
	for i, d := range c.wants {
		if int64(i) < g.Wanted {
			used++
			d.admitted = true
		}
		d.used = used
	}
	r := m.reserveOf(c.bucket)
	if r == nil {
		if !c.limit.reserves() || g.Wanted == 0 {
			return
		}
		r = &reserve{}
		m.mu.Lock()
		m.reserves[c.bucket] = r
		m.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used, r.idle = g.Used, false
	r.spare += g.Spare
}

// giveBack writes the reserves back that were not used since the last tick, or
// all, and the refunds that are kept.
func (m *meter) giveBack(all bool) {
	ending := m.ending(all)
	var asked []register.Claim
	for b, r := range ending {
		// Nobody changes a reserve that is gone.
		asked = append(asked, register.Claim{Subject: b.subject, Day: b.day, Spent: r.spent, Unused: r.spare})
	}
	_, err := m.count(asked)
	m.end(ending, err)
	if err == nil {
		err = m.write(nil)
	}
	if err != nil {
		m.log.Warn("what is not used of requests taken in advance, and refunds, cannot be written", "error", err)
	}
}

// ending are the reserves that are to be given back. They are gone: whoever
// asks from here on waits for the goroutine.
func (m *meter) ending(all bool) map[bucket]*reserve {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ending := map[bucket]*reserve{}
	for b, r := range m.reserves {
		r.mu.Lock()
		if r.idle || all {
			r.gone = true
			ending[b] = r
		}
		r.idle = true
		r.mu.Unlock()
	}
	return ending
}

// end drops reserves that were given back, or lets them go on if they could not.
func (m *meter) end(ending map[bucket]*reserve, failed error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for b, r := range ending {
		if failed == nil {
			delete(m.reserves, b)
			continue
		}
		r.mu.Lock()
		r.gone = false
		r.mu.Unlock()
	}
}

// probe looks, after a failure, whether it works again: perhaps nobody asks
// until it is said to.
func (m *meter) probe() {
	if err := m.db.Probe(context.Background()); err == nil {
		m.failing.Store(false)
	}
}
