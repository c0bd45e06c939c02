package offices

import (
	"fmt"
	"slices"
	"strings"
)

// partJoiner is a server whose datasets can be fetched in parts that are one dataset.
type partJoiner interface {
	Join(codes []string) (code string, ok bool)
}

// JoinParts joins the references that are parts of one dataset, such as
// ecb:EXR/M.USD.EUR.SP00.A and ecb:EXR/M.GBP.EUR.SP00.A, in place of the first of them.
// Others stay as they are.
func (t *Table) JoinParts(refs []string) []string {
	var joined []string
	for _, text := range refs {
		at := slices.IndexFunc(joined, func(other string) bool {
			_, ok := t.joinTwo(other, text)
			return ok
		})
		if at < 0 {
			joined = append(joined, text)
			continue
		}
		joined[at], _ = t.joinTwo(joined[at], text)
	}
	return joined
}

func (t *Table) joinTwo(one, other string) (string, bool) {
	a, errA := t.ParseRef(one)
	b, errB := t.ParseRef(other)
	if errA != nil || errB != nil || a.Office != b.Office || strings.Contains(one+other, "*") {
		return "", false
	}
	s, canJoin := t.servers[a.Office].(partJoiner)
	if !canJoin {
		return "", false
	}
	code, ok := s.Join([]string{a.Code, b.Code})
	return fmt.Sprintf("%s:%s", a.Office, code), ok
}
