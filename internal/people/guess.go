package people

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"almanac/internal/people/register"
	"almanac/internal/stat"
)

// policy says how often a subject may guess wrongly before it must wait. The wait doubles with each
// failure.
type policy struct {
	use            string // the kind of subject
	free           int
	first, longest time.Duration // waits
}

// The policies. A network may be an office with many people, hence its greater number. The longest
// wait of an account is short, because others can cause it.
var (
	ofAccount = policy{"account", 5, time.Second, 5 * time.Minute}
	ofCode    = policy{"code", 5, time.Second, 15 * time.Minute}
	ofNetwork = policy{"network", 20, time.Second, 15 * time.Minute}
	ofMail    = policy{"mail", 3, 10 * time.Minute, 6 * time.Hour} // mails to one address
)

// forgetGuesses is how long failures are remembered.
const forgetGuesses = 24 * time.Hour

// WaitError is the error of a guess that was not checked, because too many failed before.
type WaitError struct{ Wait time.Duration }

func (e *WaitError) Error() string {
	return fmt.Sprintf("too many attempts failed; try again in %d seconds", int(e.Wait.Seconds()))
}

// delay returns how long a subject waits after its nth failure.
func (l *policy) delay(failed int) time.Duration {
	if failed < l.free {
		return 0
	}
	const mostDoublings = 15 // more would overflow
	return min(l.longest, l.first<<min(failed-l.free, mostDoublings))
}

// count counts a guess as failed, before it is checked: guesses that run at once count, too. The
// error is a [WaitError] if the subject must wait; then nothing is counted.
func (p *People) count(ctx context.Context, l policy, subject string) error {
	subject = p.secret.mac(l.use, subject)
	const tries = 20
	for range tries {
		before, err := p.db.Guesses(ctx, subject)
		if err != nil {
			return err
		}
		now := p.now().UTC().Truncate(time.Second)
		if before.Until.After(now) {
			return &WaitError{before.Until.Sub(now)}
		}
		after := register.Guesses{Failed: before.Failed + 1, Last: now}
		if now.Sub(before.Last) > forgetGuesses {
			after.Failed = 1
		}
		if delay := l.delay(after.Failed); delay > 0 {
			after.Until = now.Add(delay)
		}
		isSet, err := p.db.SetGuesses(ctx, subject, before, after)
		if err != nil || isSet {
			return err
		}
	}
	return stat.Errorf(stat.Unavailable, "too many people are signing in at the moment; try again in a few seconds")
}

// forgive takes back a guess that was right.
func (p *People) forgive(ctx context.Context, account, code string, network netip.Prefix) error {
	for use, subject := range map[string]string{ofAccount.use: account, ofCode.use: code} {
		if subject == "" {
			continue
		}
		if err := p.db.Forgive(ctx, p.secret.mac(use, subject), 0); err != nil {
			return err
		}
	}
	return p.db.Forgive(ctx, p.secret.mac(ofNetwork.use, network.String()), 1)
}
