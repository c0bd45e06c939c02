package importer

import (
	"context"
	"errors"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// publish publishes the datasets of a file, or none if one of them must not be
// published. It returns the outcomes of those that were.
func (im *Importer) publish(ctx context.Context, tables []*table) ([]Outcome, error) {
	for _, t := range tables {
		if err := im.check(ctx, t); err != nil {
			return nil, formatError{t.format, err}
		}
	}
	var outcomes []Outcome
	for _, t := range tables {
		o, err := im.publishTable(ctx, t)
		if err != nil {
			return outcomes, formatError{t.format, err}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// check returns an error if the dataset must not be published. It is called for
// all datasets of a file before the first one is published.
func (im *Importer) check(ctx context.Context, t *table) error {
	if im.options.Claim != nil {
		id := 0
		if before := t.previous(); before != nil {
			id = before.ID
		}
		if err := im.options.Claim(t.dataset.Source.ID, t.dataset.Code, id); err != nil {
			return err
		}
	}
	if err := im.checkName(ctx, t); err != nil {
		return err
	}
	return t.draft.Check(ctx, im.publishOptions(t))
}

// checkName refuses a dataset whose code is only the name of its file if another file of this
// import has the same name but other data: it is hardly an update of these.
func (im *Importer) checkName(ctx context.Context, t *table) error {
	other := im.named[t.key()]
	if other == "" || !t.isNamedByFile() {
		return nil
	}
	err := t.draft.Check(ctx, store.PublishOptions{CreateOnly: true})
	if stat.KindOf(err) != stat.Refused {
		return err
	}
	return suggestCode(stat.Errorf(stat.Refused, "the code of its dataset, %s, is the name of the file, but %s has the same name and other data: state another code for one of them", t.dataset.Code, other))
}

func (im *Importer) publishOptions(t *table) store.PublishOptions {
	return store.PublishOptions{
		CreateOnly: t.partial != "",
		Accept:     im.options.Accept,
		Pages:      im.options.Joined || len(t.shares) > 0,
		Permit:     im.options.Permit,
	}
}

func (im *Importer) publishTable(ctx context.Context, t *table) (Outcome, error) {
	result, err := t.draft.Publish(ctx, im.publishOptions(t))
	if err != nil {
		return Outcome{}, err
	}
	v := result.Vintage
	o := Outcome{
		File: t.files, Format: t.format, Status: Status(result.Status),
		ID: result.ID, Code: t.dataset.Code, Version: v.Version, Series: v.Series,
		Observations: t.counts(),
	}
	if result.IsRepaired {
		t.report.Add(NoteRepaired, 1, v.Version)
	}
	if err := im.undate(context.WithoutCancel(ctx), t, result.ID); err != nil {
		return Outcome{}, err
	}
	if o.Status == Updated {
		o.Changes = Changes{v.Added, v.Revised, v.Removed, v.Changed}
	}
	if h := result.Quarantined; h != nil {
		o.Series, o.Changes, o.Error = h.Series, Changes{Added: h.Added, Revised: h.Revised, Removed: h.Removed}, quarantinedText(t.files, h)
	} else if err := im.remember(context.WithoutCancel(ctx), t); err != nil {
		t.report.Add(NoteNotRemembered, 1, err.Error()) // the dataset is published nevertheless
	}
	if t.isNamedByFile() {
		im.named[t.key()] = t.files
	}
	o.Notes = t.report.Notes()
	return o, nil
}

// undate removes from the stored versions of a dataset the time of update that an earlier program
// took from the office's table of contents, if the file states none: that of any release.
func (im *Importer) undate(ctx context.Context, t *table, id int) error {
	if t.stored == nil || t.listed.IsZero() || !t.dataset.Updated.IsZero() {
		return nil
	}
	versions, err := im.store.Undate(ctx, id, t.listed)
	if len(versions) > 0 {
		t.report.Add(NoteDateRemoved, len(versions), t.listed.Format(time.DateOnly)+" of version "+stat.JoinWords(versions))
	}
	return err
}

// remember stores what later imports need: how the file of a published dataset is
// read, where its office's dictionaries are, and what is known about its codes.
func (im *Importer) remember(ctx context.Context, t *table) error {
	var errs []error
	if o := t.options; o.Mapping != "" || o.Decimal != "" || o.Encoding != "" {
		errs = append(errs, im.store.SetReadOptions(ctx, t.dataset.Source.ID, t.dataset.Code, o))
	}
	if t.office == "" {
		return errors.Join(errs...)
	}
	err := im.store.UpdateDictionary(ctx, t.office, t.update)
	if d := im.dictionaries.merged[t.office]; d != nil && err == nil {
		im.dictionaries.merged[t.office] = d.Over(t.update.Dictionary)
	}
	errs = append(errs, im.rememberLabelsFolder(ctx, t.office), stat.Wrap(err, "storing the codes of %s", t.office))
	return errors.Join(errs...)
}

func (t *table) counts() Counts {
	return Counts{Read: t.report.Read, Stored: t.summary.Observations, Missing: t.report.Missing, Dropped: t.report.Dropped()}
}
