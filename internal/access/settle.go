package access

import (
	"context"

	"almanac/internal/access/register"
)

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
			m.keep(d.bucket, 1)
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

// keep notes refunds that are to be written.
func (m *meter) keep(b bucket, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[b] += n
}

// write asks the database for all claims in one transaction, writes the refunds
// with it, and gives out what is granted.
func (m *meter) write(claims []*claim) error {
	var asked []register.Claim
	for b, n := range m.kept { // nobody else writes the map
		asked = append(asked, register.Claim{Subject: b.subject, Day: b.day, Back: n})
	}
	first := len(asked)
	for _, c := range claims {
		one := register.Claim{
			Subject: c.subject, Day: c.day, Limit: ceiling(c.limit), Want: int64(len(c.wants)), Reserve: c.limit.reserves(),
		}
		if r := m.reserveOf(c.bucket); r != nil {
			r.mu.Lock()
			one.Spent = r.spent
			r.mu.Unlock()
		}
		asked = append(asked, one)
	}
	grants, err := m.count(asked)
	if err != nil {
		return err
	}
	m.mu.Lock()
	clear(m.kept)
	m.mu.Unlock()
	for i, c := range claims {
		m.grant(c, &asked[first+i], grants[first+i])
	}
	return nil
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
func (m *meter) grant(c *claim, asked *register.Claim, g register.Grant) {
	used := g.Used - g.Spare - g.Wanted
	for i, d := range c.wants {
		if int64(i) < g.Wanted {
			used++
			d.admitted = true
		}
		d.used = used
	}
	if !asked.Reserve || g.Wanted == 0 && asked.Spent == 0 {
		return
	}
	r := m.reserveOf(c.bucket)
	if r == nil {
		r = &reserve{}
		m.mu.Lock()
		m.reserves[c.bucket] = r
		m.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used, r.idle = g.Used, false
	r.spare += g.Spare
	r.spent -= asked.Spent
}

// giveBack writes the reserves back that were not used since the last tick, or
// all, and the refunds that are kept.
func (m *meter) giveBack(all bool) {
	m.mu.RLock()
	idle := make(map[bucket]*reserve, len(m.reserves))
	for b, r := range m.reserves {
		r.mu.Lock()
		if r.idle || all {
			r.gone = true // whoever asks from here on waits for us
			idle[b] = r
		}
		r.idle = true
		r.mu.Unlock()
	}
	m.mu.RUnlock()
	var asked []register.Claim
	for b, r := range idle {
		asked = append(asked, register.Claim{Subject: b.subject, Day: b.day, Spent: r.spent, Unused: r.spare})
	}
	_, err := m.count(asked)
	for b, r := range idle {
		if err != nil {
			r.mu.Lock()
			r.gone = false
			r.mu.Unlock()
			continue
		}
		m.mu.Lock()
		delete(m.reserves, b)
		m.mu.Unlock()
	}
	if err == nil {
		err = m.write(nil)
	}
	if err != nil {
		m.log.Warn("what is not used of requests taken in advance, and refunds, cannot be written", "error", err)
	}
}

// probe looks, after a failure, whether it works again: perhaps nobody asks
// until it is said to.
func (m *meter) probe() {
	if !m.failing.Load() {
		return
	}
	if err := m.db.Probe(context.Background()); err == nil {
		m.failing.Store(false)
	}
}

// forget drops the digests of anonymous callers of days that are over.
func (m *meter) forget() {
	before := dayOf(m.now()) - forgetAfter
	if before == m.forgot {
		return
	}
	if err := m.db.Forget(context.Background(), before); err != nil {
		m.log.Warn("old counts of anonymous callers cannot be dropped", "error", err)
		return
	}
	m.forgot = before
}
