package records

import (
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
)

// footnotes is the name of a list of the footnotes of a value.
const footnotes = "footnotes"

// footnotes visits the fields of the objects in a list as those of one object: [{"code":"P"},
// {"code":"R"}] is the field footnotes.code with P,R.
func (f *File) footnotes(j *jsonscan.Scanner, path string, v visitor) error {
	var fields []string
	values := map[string]jsonscan.Token{}
	add := visitor{field: func(name string, value jsonscan.Token) error {
		before, isRepeated := values[name]
		if value.Kind == jsonscan.Null || len(fields) == maxFields {
			return nil
		}
		if !isRepeated {
			fields, before = append(fields, name), value
			before.Text = slices.Clone(value.Text)
		} else {
			before.Text = append(append(before.Text, ','), value.Text...)
		}
		before.Kind, values[name] = jsonscan.String, before
		return nil
	}}
	err := j.Array(func(item jsonscan.Token) error {
		if item.Kind == jsonscan.Object {
			return f.object(j, path+".", add)
		}
		f.noteList(path)
		return j.SkipRest(item)
	})
	for _, name := range fields {
		if err == nil {
			err = v.field(name, values[name])
		}
	}
	return err
}

// flags is the name of a list of the flags of a value in Almanac's own files.
const flags = "status"

// flags visits the texts in a list as one, with spaces between them.
func (f *File) flags(j *jsonscan.Scanner, path string, v visitor, list jsonscan.Token) error {
	var texts []string
	isOfTexts := true
	err := j.Array(func(item jsonscan.Token) error {
		if item.Kind != jsonscan.String || len(texts) == maxFields {
			isOfTexts = false
			f.noteList(path)
			return j.SkipRest(item)
		}
		texts = append(texts, string(item.Text))
		return nil
	})
	if err != nil || !isOfTexts {
		return err
	}
	list.Kind, list.Text = jsonscan.String, []byte(strings.Join(texts, " "))
	return v.field(path, list)
}
