package api

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/encode/json"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// maxDifferences is how many differences besides observations a list of revisions has.
const maxDifferences = 100

// revisionPage returns a page of the revisions between two versions; none if old is nil.
func (x *exchange) revisionPage(p *request.Revisions, old, now *store.Vintage) ([]byte, error) {
	isAlone := old == nil
	if isAlone {
		old = now
	}
	followed, err := x.followed(now, p.Followed)
	if err != nil {
		return nil, err
	}
	sides, isSelected, notices, err := p.Filter(old, now, followed)
	if err != nil {
		return nil, err
	}
	if isAlone {
		notices = append(notices, aloneNotice(now)...)
	}
	buf := x.beginRevisions(old, now, isAlone)
	buf = append(json.AppendName(buf, "data"), '[')
	total := 0
	skipped := int64(p.Page) * int64(p.Limit)
	if p.Page > 0 && skipped/int64(p.Page) != int64(p.Limit) {
		skipped = int64(now.Observations) + int64(old.Observations) // a page past the end
	}
	decimals := newRevisionDecimals(old, now, p.Decimals)
	var units []store.Difference // of the revised observations
	counts, err := x.api.opts.Store.Revisions(x.r.Context(), sides[0], sides[1], isSelected, func(r *store.Revision) {
		if unit := (store.Difference{Kind: store.Units, Member: "unit", Old: r.OldUnit, New: r.Unit}); r.HasOtherUnit && !slices.Contains(units, unit) && len(units) <= maxDifferences {
			units = append(units, unit)
		}
		if p.Kind != "" && store.RevisionKind(p.Kind) != r.Kind {
			return
		}
		if at := int64(total); at >= skipped && at < skipped+int64(p.Limit) {
			decimals.set(x.r.Context(), r)
			buf = json.AppendRevision(json.AppendComma(buf), r, p.ISOPeriods)
		}
		total++
	})
	if err = cmp.Or(err, decimals.err); err == nil {
		err = x.checkShare(now, counts.Sum())
	}
	if err != nil {
		return nil, err
	}
	buf = append(buf, ']')
	buf = json.AppendInt(buf, "added", int64(counts.Added))
	buf = json.AppendInt(buf, "revised", int64(counts.Revised))
	buf = json.AppendInt(buf, "removed", int64(counts.Removed))
	buf, other, err := x.appendDifferences(buf, [2]*store.Vintage{old, now}, counts, units)
	if err != nil {
		return nil, err
	}
	buf = appendPagination(buf, p.Page, p.Limit, total)
	x.linkPages(p.Page, p.Limit, total)
	return append(appendNotices(buf, append(notices, other...)), '}'), nil
}

// beginRevisions returns the beginning of a page: the dataset and its two versions, or the newer one alone.
func (x *exchange) beginRevisions(old, now *store.Vintage, isAlone bool) []byte {
	id := now.Dataset.ID
	buf := json.AppendInt([]byte{'{'}, "id", int64(id))
	buf = json.AppendText(buf, "dataset_code", now.Dataset.Code)
	buf = json.AppendText(buf, "dataset_name", now.Dataset.Name)
	if !isAlone {
		buf = json.AppendVersion(json.AppendName(buf, "from"), old.Description(), x.versionAddress(id, old.Version))
	}
	buf = json.AppendVersion(json.AppendName(buf, "to"), now.Description(), x.versionAddress(id, now.Version))
	return buf
}

// aloneNotice returns the notice that a version has no earlier one because that was deleted; none
// if it is the first.
func aloneNotice(v *store.Vintage) []request.Notice {
	if v.Version == store.FirstVersion {
		return nil
	}
	message := fmt.Sprintf("the versions before %s are no longer kept, so that no values can be listed; to has the numbers of those that were added, revised and removed", v.Version)
	return []request.Notice{request.NewNotice("from", "", message)}
}

func (x *exchange) revisionsWantFollowed() bool {
	p, _ := bind[request.Revisions](x) // other errors do not matter here
	return p.Followed
}

// appendDifferences appends what differs between two versions besides their observations, which
// are counted and have other units, if anything does, and returns notices on it.
func (x *exchange) appendDifferences(buf []byte, versions [2]*store.Vintage, counts store.RevisionCounts, units []store.Difference) ([]byte, []request.Notice, error) {
	old, now := versions[0], versions[1]
	list, err := store.Differences(x.r.Context(), old, now)
	if err != nil {
		return nil, nil, err
	}
	for _, unit := range units {
		if !slices.ContainsFunc(list, func(d store.Difference) bool {
			return d.Member == unit.Member && d.Old == unit.Old && d.New == unit.New
		}) {
			list = append(list, unit)
		}
	}
	var notices []request.Notice
	note := func(message string) { notices = append(notices, request.NewNotice("from, to", "", message)) }
	kinds := counts.Kinds(list)
	if len(kinds) > 0 {
		buf = json.AppendTexts(json.AppendName(buf, "changed"), texts(kinds))
		note(fmt.Sprintf("besides values, versions %s and %s differ in %s", old.Version, now.Version, joinKinds(kinds)))
	}
	if len(list) > 0 {
		buf = json.AppendDifferences(json.AppendName(buf, "changes"), list[:min(len(list), maxDifferences)])
	}
	if len(list) > maxDifferences {
		note(fmt.Sprintf("changes has the first %d of %d", maxDifferences, len(list)))
	}
	if counts.Units > 0 {
		note(fmt.Sprintf("revised observations whose unit is another one: %d; old_unit has the unit of the old value", counts.Units))
	}
	if counts.WithoutValue > 0 {
		note(fmt.Sprintf("observations without a value that are not listed, in series that only one of the versions has: %d", counts.WithoutValue))
	}
	if !store.HaveSameAxes(old, now) {
		note(fmt.Sprintf("versions %s and %s have different dimensions, so that no series matches: all of the older one is listed as removed, then all of the newer one as added", old.Version, now.Version))
	}
	return buf, notices, nil
}

func texts(kinds []store.DifferenceKind) (list []string) {
	for _, kind := range kinds {
		list = append(list, string(kind))
	}
	return list
}

// joinKinds writes kinds as words: "labels and units".
func joinKinds(kinds []store.DifferenceKind) string { return stat.JoinWords(texts(kinds)) }

// changedSince returns a view of a vintage with only what was added or changed since a time, and
// notices on what it does not show.
func (x *exchange) changedSince(v *store.Vintage, p request.Data) (*store.Vintage, []request.Notice, error) {
	if p.Transform != "" {
		return nil, nil, stat.Errorf(stat.Invalid, "transform and updated_since cannot be combined: values that have not changed are needed to derive others; leave one of them out")
	}
	since, err := p.Since()
	if err != nil {
		return nil, nil, err
	}
	view, wasDeleted, err := x.api.opts.Store.ChangedSince(x.r.Context(), v, since)
	if err != nil {
		return nil, nil, err
	}
	c, message := view.Changes(), ""
	switch {
	case wasDeleted:
		message = "the version that was current before is no longer kept, so that all observations are here"
	case c.Since == v.Version:
		message = fmt.Sprintf("nothing has changed: version %s was published before", v.Version)
	case len(c.Kinds) > 0:
		message = fmt.Sprintf("besides values, the %s changed since version %s; listed at %s", joinKinds(c.Kinds), c.Since, x.revisionsAddress(v, c, ""))
	default:
		return view, nil, nil
	}
	return view, []request.Notice{request.NewNotice("updated_since", p.UpdatedSince, message)}, nil
}

// removedSince returns a notice on the values that are gone from a selection of changes, none if
// there are none.
func (x *exchange) removedSince(s *selection, followed stat.Selection) ([]request.Notice, error) {
	v, c := s.vintage, s.vintage.Changes()
	old, err := x.api.opts.Store.VintageAt(x.r.Context(), v.Dataset.ID, store.At{Version: c.Since})
	if err != nil {
		return nil, err
	}
	l, err := request.Localise(x.r.Context(), old, s.params.Lang, x.acceptLanguage())
	if err != nil {
		return nil, err
	}
	q := s.query
	q.Latest, q.FirstN, q.LastN, q.Flags = "", 0, 0, false
	q.Select, _ = request.SelectEarlier(l.Vintage, v, *s.params, followed)
	extract, err := c.RemovedOf(l.Vintage).Select(x.r.Context(), q)
	if err != nil {
		return nil, err
	}
	count := 0
	for block, err := range extract.Blocks {
		if err != nil {
			return nil, err
		}
		for _, value := range block.Value {
			if !math.IsNaN(value) {
				count++
			}
		}
	}
	if count == 0 {
		return nil, nil
	}
	message := fmt.Sprintf("values of this selection that were removed since version %s: %d; listed at %s", c.Since, count, x.revisionsAddress(v, c, "&kind=removed"+request.RevisionFilters(x.r.URL.Query())))
	return []request.Notice{request.NewNotice("updated_since", s.params.UpdatedSince, message)}, nil
}

// revisionsAddress returns the address of the list of changes of a vintage.
func (x *exchange) revisionsAddress(v *store.Vintage, c *store.Changes, filters string) string {
	return fmt.Sprintf("%s/api/datasets/%d/revisions?from=%s&to=%s%s", x.api.opts.BaseURL, v.Dataset.ID, c.Since, v.Version, strings.ReplaceAll(filters, "+", "%20"))
}
