package watch

import (
	"fmt"
	"strconv"
	"strings"
)

// JobLimits limit the new jobs of a UTC day. Below 0 there is no limit.
type JobLimits struct {
	Account   int64 // of each account
	Anonymous int64 // of each address, without a key
	All       int64 // of all together
}

// DefaultJobLimits are the limits that docs/operations.md states.
var DefaultJobLimits = JobLimits{Account: 20, Anonymous: 20, All: 200}

const noJobLimit = "unlimited"

// UnmarshalText reads limits such as "anonymous=3,all=unlimited". Those that are not named
// are the defaults.
func (l *JobLimits) UnmarshalText(text []byte) error {
	*l = DefaultJobLimits
	byName := map[string]*int64{"account": &l.Account, "anonymous": &l.Anonymous, "all": &l.All}
	if strings.TrimSpace(string(text)) == "" {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		name, number, ok := strings.Cut(part, "=")
		name, number = strings.TrimSpace(name), strings.TrimSpace(number)
		if !ok {
			return fmt.Errorf("invalid limit %q; it must be name=number, as in account=20,anonymous=3,all=unlimited", part)
		}
		limit := byName[name]
		if limit == nil {
			return fmt.Errorf("unknown or repeated limit %q; the limits are account, anonymous and all", name)
		}
		delete(byName, name)
		if number == noJobLimit {
			*limit = -1
			continue
		}
		n, err := strconv.ParseUint(number, 10, 31) // digits alone: no sign
		if err != nil {
			return fmt.Errorf("invalid limit %s=%q; it must be a whole number of datasets a day, or unlimited", name, number)
		}
		*limit = int64(n)
	}
	return nil
}
