package access

import (
	"context"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// settle decides a batch.
func (m *meter) settle(batch []*decision) {
	m.settling.Lock()
	defer m.settling.Unlock()
	if err := m.write(m.claims(batch)); err != nil {
		err = &stat.Error{Kind: stat.Unavailable, Message: "requests cannot be counted at the moment; ask again in a few seconds", Err: err}
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
	type place struct {
		bucket
		limit Limit
	}
	at := map[place]*claim{}
	var claims []*claim
	for _, d := range batch {
		if d.refund {
			m.kept[d.bucket]++
			continue
		}
		if used, ok := m.fromReserve(d.bucket, d.limit); ok {
			d.used, d.admitted = used, true
			continue
		}
		p := place{d.bucket, d.limit}
		c := at[p]
		if c == nil {
			c = &claim{bucket: d.bucket, limit: d.limit}
			at[p] = c
			claims = append(claims, c)
		}
		c.wants = append(c.wants, d)
	}
	return claims
}

// write asks the database for all claims in one transaction and gives out what
// is granted.
func (m *meter) write(claims []*claim) error {
	if len(claims) == 0 && len(m.kept) == 0 {
		return nil
	}
	asked := make([]register.Claim, 0, len(claims)+len(m.kept))
	for b, n := range m.kept {
		asked = append(asked, register.Claim{Subject: b.subject, Day: b.day, Back: n})
	}
	first := len(asked)
	for _, c := range claims {
		spare := int64(0)
		if r := m.reserveOf(c.bucket); r != nil {
			spare = max(reserveFor(c.limit, r.used), 0)
		}
		asked = append(asked, register.Claim{
			Subject: c.bucket.subject, Day: c.bucket.day, Limit: ceiling(c.limit), Want: int64(len(c.wants)), Spare: spare,
		})
	}
	// Whoever waits has to be answered, whatever became of the one who asked first.
	grants, err := m.db.Count(context.Background(), asked)
	m.failing.Store(err != nil)
	if err != nil {
		return err
	}
	clear(m.kept)
	for i, c := range claims {
		m.grant(c, grants[first+i])
	}
	return nil
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
	if g.Wanted == 0 || c.limit != Unlimited && c.limit < reservesFrom {
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
}

// giveBack writes the reserves back that were not used since the last tick, or
// all, and the refunds that are kept.
func (m *meter) giveBack(all bool) {
	m.settling.Lock()
	defer m.settling.Unlock()
	m.mu.RLock()
	buckets := make(map[bucket]*reserve, len(m.reserves))
	for b, r := range m.reserves {
		buckets[b] = r
	}
	m.mu.RUnlock()
	for b, r := range buckets {
		r.mu.Lock()
		r.gone = r.idle || all
		if r.gone && r.spare > 0 {
			m.kept[b] += r.spare
			r.spare = 0
		}
		r.idle = true
		r.mu.Unlock()
		if r.gone {
			m.mu.Lock()
			delete(m.reserves, b)
			m.mu.Unlock()
		}
	}
	if err := m.write(nil); err != nil {
		m.log.Warn("requests that do not count cannot be written", "error", err)
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
