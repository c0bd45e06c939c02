package access

import (
	"context"
	"crypto/hmac"
	"errors"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// Caller is the sender of a request. The zero Caller is unknown.
type Caller struct {
	Tier         Tier
	Account      int64  // 0: anonymous
	Organisation int64  // of the account; 0: anonymous
	Key          string // the public id of the key; empty: anonymous
	MayBring     bool   // the account may have datasets brought

	network netip.Prefix // of anonymous callers
	subject string       // of callers with a key: the subject under which their requests are counted
}

// Anonymous returns the caller without a key at an address. An IPv6 /64 is one caller.
func (a *Access) Anonymous(address netip.Addr) Caller {
	return Caller{Tier: Anonymous, network: Network(address)}
}

// CallerOf returns an account as a caller without a key: its counts are those of its keys.
func (a *Access) CallerOf(account Account) Caller { return callerOf(&account, "") }

// Subject returns the name under which what a caller does today is counted. It contains no
// key and no address.
func (a *Access) Subject(c Caller) string { return a.counterOf(c, a.now()).subject }

type knownKey struct {
	mac       mac
	caller    Caller
	isRevoked bool
	expires   int64        // Unix seconds; 0: never
	used      atomic.Int64 // last use in Unix seconds; 0: not since it was last recorded
}

// ErrKey is the one error for malformed, unknown, revoked and expired keys.
var ErrKey = errors.New("invalid key")

// A text that is not a key is compared with these, so that it takes as long as any
// other. No MAC is all zeros.
var (
	noKey     = knownKey{isRevoked: true}
	noKeyText = string(make([]byte, keyLength))
)

// GuessError is the error for an invalid key from an address that has sent too many.
type GuessError struct {
	Standing // Left and Reset are those of the next key that is compared
}

func (e *GuessError) Error() string { return "too many invalid keys" }

// wrongKeys is the number of invalid keys that one network may send in a minute: more than a busy program with an old
// key sends, and too few for guesses to keep the server busy.
const wrongKeys = 3000

// Verify returns the caller of a key from an address. The error is [ErrKey], in the same time whatever the
// reason; a [GuessError], unless the address is not valid; or [stat.Unavailable] if revoked keys could not be read for some time. A valid key
// is never refused because others at the address guess.
func (a *Access) Verify(key string, from netip.Addr) (Caller, error) {
	c, err := a.verify(key)
	if !errors.Is(err, ErrKey) {
		return c, err
	}
	if from.IsValid() {
		now := a.now()
		if wait := a.guesses.Take(Network(from), now); wait > 0 {
			return c, &GuessError{Standing{Limit: wrongKeys, Used: wrongKeys, Reset: now.Add(wait), Left: wait}}
		}
	}
	if _, isWellFormed := publicID(key); isWellFormed {
		a.catchUp() // another process may just have created it
		c, err = a.verify(key)
	}
	return c, err
}

// verify is Verify with what is in memory.
func (a *Access) verify(key string) (Caller, error) {
	known := &noKey
	if id, ok := publicID(key); ok {
		a.mu.RLock()
		if found := a.keys[id]; found != nil {
			known = found
		}
		a.mu.RUnlock()
	} else {
		key = noKeyText
	}
	now := a.now().Unix()
	m := a.pepper.mac(key)
	if isEqual := hmac.Equal(m[:], known.mac[:]); !isEqual || known.isRevoked || known.expires != 0 && known.expires <= now {
		return Caller{}, ErrKey
	}
	if a.keysAreStale() {
		return Caller{}, stat.Errorf(stat.Unavailable, "keys cannot be checked at the moment; try again in a few seconds")
	}
	if known.used.Load() != now {
		known.used.Store(now)
	}
	return known.caller, nil
}

// keysAreStale reports whether revoked keys could not be read for some time.
func (a *Access) keysAreStale() bool { return a.misses.Load() >= maxMisses }

// catchUp reads what other processes changed before it was called. Callers that wait share one
// reading, and there is at most one in each catchUpEvery, so that guesses cannot keep the database busy.
func (a *Access) catchUp() {
	called := a.now()
	a.catchingUp.Lock()
	defer a.catchingUp.Unlock()
	if a.caughtUp.After(called) {
		return
	}
	time.Sleep(min(catchUpEvery, catchUpEvery-a.now().Sub(a.caughtUp))) // no longer if the clock was set back
	a.caughtUp = a.now()
	ctx, cancel := context.WithTimeout(context.Background(), pollTimeout)
	defer cancel()
	if err := a.refresh(ctx); err != nil {
		a.log.Debug("new keys cannot be read", "error", err) // poll counts failures
	}
}

func (a *Access) refresh(ctx context.Context) error {
	a.refreshing.Lock()
	defer a.refreshing.Unlock()
	generation, _, err := a.db.State(ctx)
	if err != nil {
		return err
	}
	if generation != a.generation {
		// A change between the two readings is read twice.
		changed, err := a.db.Changed(ctx, a.generation)
		if err != nil {
			return err
		}
		links, err := a.db.ChangedLinks(ctx, a.generation)
		if err != nil {
			return err
		}
		a.mu.Lock()
		for i := range changed {
			a.setKey(&changed[i])
		}
		for i := range links {
			a.setLink(&links[i])
		}
		a.mu.Unlock()
		a.generation = generation
	}
	a.misses.Store(0)
	return nil
}

// setKey stores the row of a key in memory. The caller holds the lock.
func (a *Access) setKey(k *register.Key) {
	known := &knownKey{isRevoked: !k.Revoked.IsZero()}
	copy(known.mac[:], k.MAC)
	if !k.Expires.IsZero() {
		known.expires = k.Expires.Unix()
	}
	known.caller = callerOf(&k.Account, k.ID)
	if before := a.keys[k.ID]; before != nil {
		known.used.Store(before.used.Load())
	}
	a.keys[k.ID] = known
}

// callerOf returns the caller of an account with the public id of a key or link.
func callerOf(account *register.Account, id string) Caller {
	return Caller{
		Tier: account.Tier, Account: account.ID, Organisation: account.OrganisationID, Key: id, MayBring: account.MayBring,
		subject: register.AccountSubject + strconv.FormatInt(account.ID, 10),
	}
}

// recordUse records when keys were last used. A failure does no harm.
func (a *Access) recordUse(ctx context.Context) {
	used := map[string]time.Time{}
	a.mu.RLock()
	for id, k := range a.keys {
		if at := k.used.Swap(0); at != 0 {
			used[id] = time.Unix(at, 0)
		}
	}
	a.mu.RUnlock()
	if len(used) == 0 {
		return
	}
	if err := a.db.MarkUsed(ctx, used); err != nil && ctx.Err() == nil {
		a.log.Warn("the last use of keys cannot be recorded", "error", err)
	}
}
