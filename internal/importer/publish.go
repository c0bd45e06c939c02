package importer

import (
	"context"
	"errors"

	"almanac/internal/store"
)

// publish stores the datasets of a file, unless one of them may not be stored.
// It returns the outcomes of those that were.
func (im *Importer) publish(ctx context.Context, tables []*table) ([]Outcome, error) {
	for _, t := range tables {
		if err := im.check(ctx, t); err != nil {
			return nil, inFormat{t.format, err}
		}
	}
	var outcomes []Outcome
	for _, t := range tables {
		o, err := im.publishTable(ctx, t)
		if err != nil {
			return outcomes, inFormat{t.format, err}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// check returns why a dataset may not be stored, so that nothing else of its
// file is stored before.
func (im *Importer) check(ctx context.Context, t *table) error {
	if im.options.Claim != nil {
		id := 0
		if t.stored != nil {
			id = t.stored.Dataset.ID
		}
		if err := im.options.Claim(t.dataset.Source.ID, t.dataset.Code, id); err != nil {
			return err
		}
	}
	return t.draft.Check(ctx, im.publishOptions(t))
}

func (im *Importer) publishOptions(t *table) store.PublishOptions {
	return store.PublishOptions{
		CreateOnly: t.partial != "",
		Accept:     im.options.Accept,
		Pages:      im.options.Joined || len(t.shares) > 0,
	}
}

// publishTable stores a table and tells what came of it.
func (im *Importer) publishTable(ctx context.Context, t *table) (Outcome, error) {
	result, err := t.draft.Publish(ctx, im.publishOptions(t))
	if err != nil {
		return Outcome{}, err
	}
	v := result.Vintage
	o := Outcome{
		File: t.file, Format: t.format, Status: Status(result.Status),
		ID: result.ID, Code: t.dataset.Code, Version: v.Version, Series: v.Series,
		Observations: t.counts(),
	}
	if h := result.Held; h != nil { // nothing is kept of its codes before a person has looked
		o.Series, o.Changes, o.Error = h.Series, Changes{h.Added, h.Revised, h.Removed}, heldText(t.file, h)
		o.Notes = t.report.Notes()
		return o, nil
	}
	if o.Status == Updated {
		o.Changes = Changes{v.Added, v.Revised, v.Removed}
	}
	// The dataset is stored, whatever comes now.
	if err := im.keep(context.WithoutCancel(ctx), t); err != nil {
		t.report.Add(NoteNotRemembered, 1, err.Error())
	}
	o.Notes = t.report.Notes()
	return o, nil
}

// keep stores, after a dataset was published, how its file is read, where its
// office's dictionaries are, and what they and the file say of its codes.
func (im *Importer) keep(ctx context.Context, t *table) error {
	var errs []error
	if o := t.options; o.Mapping != "" || o.Decimal != "" || o.Encoding != "" {
		errs = append(errs, im.store.SetReadOptions(ctx, t.dataset.Source.ID, t.dataset.Code, o))
	}
	if t.office != "" {
		errs = append(errs, im.keepLabelsFolder(ctx, t.office), im.keepCodes(ctx, t))
	}
	return errors.Join(errs...)
}

func (im *Importer) keepLabelsFolder(ctx context.Context, office string) error {
	root := im.options.Labels
	if folder := im.dictionaries.folders[root]; folder == nil || len(folder.dictionaries[office]) == 0 {
		return nil
	}
	known, err := im.store.LabelsDir(ctx, office)
	if err == nil && known != root {
		err = im.store.SetLabelsDir(ctx, office, root)
	}
	return wrap("remembering the dictionaries of "+office, err)
}

func (im *Importer) keepCodes(ctx context.Context, t *table) error {
	if err := im.store.UpdateDictionary(ctx, t.office, t.update); err != nil {
		return wrap("keeping what is known of the codes of "+t.office, err)
	}
	if d := im.dictionaries.merged[t.office]; d != nil {
		im.dictionaries.merged[t.office] = d.Over(t.update.Dictionary)
	}
	return nil
}

// counts account for every cell of the table.
func (t *table) counts() Counts {
	return Counts{Read: t.report.Read, Stored: t.summary.Observations, Missing: t.report.Missing, Dropped: t.report.Dropped()}
}
