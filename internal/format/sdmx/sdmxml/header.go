package sdmxml

import (
	"cmp"
	"strings"

	"almanac/internal/format/sdmx"
)

// header is the header of a message.
type header struct {
	ID     string
	Names  []sdmx.Text `xml:"Name"`
	Sender struct {
		ID string `xml:"id,attr"`
	}
	Prepared  string
	Extracted string // when the data were extracted
	Truncated string

	DataSetIDs      []string `xml:"DataSetID"`
	Action          string   `xml:"DataSetAction"`
	KeyFamily       string   `xml:"KeyFamilyRef"` // SDMX 2.0: the ID of the structure
	KeyFamilyAgency string
	Structures      []declaration `xml:"Structure"`

	dataSet string // the first of DataSetIDs
}

// declaration describes a structure to which data sets refer.
type declaration struct {
	Name         string         `xml:"structureID,attr"`            // by which data sets refer to it
	ObsDimension string         `xml:"dimensionAtObservation,attr"` // the dimension at observation level
	Flow         sdmx.Reference `xml:"StructureUsage"`
	Structure    sdmx.Reference
	Agreement    sdmx.Reference `xml:",any"` // a provision agreement; only its agency counts

	ByMeasure string `xml:"explicitMeasures,attr"` // "true": elements of observations have the names of measures
}

func (w *walker) readHeader() error {
	h := &w.header
	if err := w.decode(h); err != nil {
		return err
	}
	h.dataSet = cmp.Or(h.DataSetIDs...)
	for _, text := range []*string{&h.ID, &h.Truncated, &h.dataSet, &h.Action, &h.KeyFamily, &h.KeyFamilyAgency} {
		*text = strings.TrimSpace(*text)
	}
	if h.Truncated == "true" || h.Truncated == "1" {
		w.partial = "Truncated"
	}
	return nil
}

// readFooter reads the footer, in which services say why data are missing.
func (w *walker) readFooter() error {
	var footer struct {
		Messages []struct {
			Code  string   `xml:"code,attr"`
			Texts []string `xml:",any"`
		} `xml:"Message"`
	}
	err := w.decode(&footer)
	for _, m := range footer.Messages {
		text := sdmx.FoldSpace(strings.Join(m.Texts, " "))
		w.footer = cmp.Or(w.footer, text)
		// The codes of SDMX for incomplete answers: too large, over the limit.
		if m.Code == "413" || m.Code == "510" {
			w.partial = text
		}
	}
	return err
}
