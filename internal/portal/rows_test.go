package portal

import (
	"html/template"
	"net/url"
	"strings"
	"testing"
)

// Texts in rows that no template writes are escaped as templates do.
func TestTextsAreEscapedAsInTemplates(t *testing.T) {
	text := "<a href=\"x\">Côte d'Ivoire & EU27 + UK\x00 العربية = `1`"
	var want strings.Builder
	template.Must(template.New("").Parse(`<td class="num gap" data-p="{{.}}" title="{{.}}">…<sup>{{.}}</sup></td>`)).Execute(&want, text)
	row := tableRow{Cells: []cell{{Period: text, Note: text, Flags: flags{"X:" + text}}}}
	if got := string(row.HTML()); got != want.String() {
		t.Errorf("got  %q\nwant %q", got, want.String())
	}
	want.Reset()
	address := (&metadata{ID: 1, Code: text}).address() + "?" + url.Values{"sort": {text}}.Encode() + "#table"
	template.Must(template.New("").Parse(`<th scope="col" class="num" data-p="{{.Text}}" aria-sort="descending"><a href="{{.Address}}">{{.Text}}</a></th><th scope="col" class="num" data-p="{{.Text}}" hidden>{{.Text}}</th>`)).Execute(&want, link{text, address})
	if got := string((&language{}).heads([]column{{Period: text, Address: address, Sorted: "descending"}, {Period: text, IsHidden: true}})); got != want.String() {
		t.Errorf("got  %q\nwant %q", got, want.String())
	}
	want.Reset()
	template.Must(template.New("").Parse(`<label class="opt off"><input type="radio" name="dim1" value="{{.}}" checked><span class="l" title="{{.}}"><bdi>{{.}}</bdi></span><span class="n">0</span></label>
`)).Execute(&want, text)
	if got := string((&language{}).choices("radio", "dim1", []option{{Code: text, Label: text, IsChosen: true}})); got != want.String() {
		t.Errorf("got  %q\nwant %q", got, want.String())
	}
}
