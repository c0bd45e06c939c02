package plain

import (
	"bytes"
	"context"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/aligned"
	"almanac/internal/format/nested"
	"almanac/internal/format/office"
	"almanac/internal/format/parquet"
	"almanac/internal/format/records"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

func recogniseRecords(_ string, head []byte) bool {
	return records.Recognise(head) || nested.RecogniseJSON(head)
}

func recogniseXML(_ string, head []byte) bool { return nested.RecogniseXML(head) }

// readXML reads records that are nested in others.
func readXML(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return readFields(ctx, in, openNested)
}

func recogniseParquet(_ string, head []byte) bool {
	return bytes.HasPrefix(head, []byte(parquet.Magic))
}

// readRecords reads JSON: a list of records, or if that does not tell enough, or an office's
// answer says more around it, the records that are nested in others.
func readRecords(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	open, unstated := openRecords, in
	unstated.Mapping = "" // a mapping that is stated does not say which
	file, err := records.Open(in, &stat.Report{})
	if err == nil && file.IsNested() && (file.NotRead() != "" || !isSigned(in, openRecords)) && isSigned(in, openNested) {
		open = openNested
	} else if _, _, mapErr := mapFields(&unstated, openRecords); mapErr != nil {
		if _, nestedErr := openNested(in); nestedErr == nil && (err != nil || file.NotRead() != "") {
			open = openNested
		}
	}
	return readFields(ctx, in, open)
}

// isSigned reports whether fields are those of an office's server, of which the meaning is known.
func isSigned(in format.Input, open func(format.Input) (fields, error)) bool {
	f, err := open(in)
	if err != nil || f.isAnswer {
		return err == nil
	}
	first, err := firstRows(f.open)
	return err == nil && office.Sign(office.Page{Name: in.Name, Rows: first.rows, IsWhole: first.isAll}).Mapping != ""
}

func openRecords(in format.Input) (f fields, err error) {
	f.report = &stat.Report{}
	file, err := records.Open(in, f.report)
	if err != nil {
		return f, err
	}
	if name := file.NotRead(); name != "" {
		f.report.Add(stat.NoteNotRead, 1, "field "+name+", which holds lists")
	}
	f.open, f.partial = func() (table.Rows, error) { return file.Rows() }, file.Partial
	return f, nil
}

func openNested(in format.Input) (f fields, err error) {
	f.report = &stat.Report{}
	file, err := nested.Open(in, f.report)
	if err != nil {
		return f, err
	}
	if file.NotRead != "" {
		f.report.Add(stat.NoteNotRead, 1, "the list "+file.NotRead)
	}
	f.open, f.partial, f.isAnswer = func() (table.Rows, error) { return file.Rows(), nil }, file.Partial, file.IsAnswer
	return f, nil
}

func recogniseAligned(_ string, head []byte) bool {
	return isPlainText(head) && aligned.Recognise(head)
}

// readAligned reads text whose columns are aligned with blanks.
func readAligned(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return readFields(ctx, in, func(in format.Input) (f fields, err error) {
		f.report = &stat.Report{}
		file, err := aligned.Open(in, f.report)
		if err == nil {
			f.open = file.Rows
		}
		return f, err
	})
}

// readParquet reads a Parquet file.
func readParquet(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return readFields(ctx, in, func(in format.Input) (fields, error) {
		file, err := parquet.Open(in.Data)
		return fields{open: func() (table.Rows, error) { return file.Rows(), nil }, report: &stat.Report{}}, err
	})
}

// fields are the rows of a file whose fields have names.
type fields struct {
	open     func() (table.Rows, error)
	partial  string // why the file is a part of its dataset
	isAnswer bool   // its parts are known
	report   *stat.Report
}

func readFields(ctx context.Context, in format.Input, open func(format.Input) (fields, error)) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		f, m, err := mapFields(&in, open)
		if err != nil {
			yield(nil, err)
			return
		}
		for t, err := range table.ReadRows(ctx, in, f.open, m) {
			if err == nil {
				t.Partial = f.partial
				t.Report.Merge(f.report)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// mapFields returns the rows of a file and what their columns mean.
func mapFields(in *format.Input, open func(format.Input) (fields, error)) (f fields, m table.Mapping, err error) {
	stated, err := statedIn(in)
	if err != nil {
		return f, m, err
	}
	if stated.sheet != "" || stated.separator != 0 {
		return f, m, mappingError("a sheet or separator cannot be stated for a file whose fields have names")
	}
	if f, err = open(*in); err != nil {
		return f, m, err
	}
	first, err := firstRows(f.open)
	if err != nil {
		return f, m, err
	}
	m, err = stated.mapping(*in, first)
	return f, m, err
}
