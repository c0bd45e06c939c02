package sdmxrest

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// maxOpened is how many datasets a request for structures may open. Lists of dataflows need none.
const maxOpened = 100

// classes maps the resources of the API to the classes of artefacts that this service has.
var classes = map[string]string{
	"dataflow": "Dataflow", "datastructure": "DataStructure", "codelist": "Codelist", "conceptscheme": "ConceptScheme",
	"categoryscheme": "CategoryScheme", "categorisation": "Categorisation", "agencyscheme": "AgencyScheme", "organisationscheme": "AgencyScheme",
	"contentconstraint": "ContentConstraint", "actualconstraint": "ContentConstraint", "dataconstraint": "ContentConstraint",
}

// otherResources are those of the standard of which this service has nothing.
var otherResources = []string{
	"metadata", "metadatastructure", "metadataflow", "hierarchicalcodelist", "hierarchy", "hierarchyassociation", "valuelist", "dataproviderscheme", "metadataproviderscheme",
	"dataconsumerscheme", "organisationunitscheme", "reportingtaxonomy", "provisionagreement", "metadataprovisionagreement", "structureset", "structuremap",
	"representationmap", "conceptschememap", "categoryschememap", "organisationschememap", "reportingtaxonomymap", "process", "attachmentconstraint",
	"allowedconstraint", "metadataconstraint", "transformationscheme", "rulesetscheme", "userdefinedoperatorscheme", "customtypescheme", "namepersonalisationscheme",
	"namealiasscheme", "vtlmappingscheme",
}

// Resources returns the resources of which this service has artefacts.
func Resources() []string {
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// children maps each class to those that its artefacts refer to.
var children = map[string][]string{
	"Dataflow": {"DataStructure"}, "DataStructure": {"Codelist", "ConceptScheme"},
	"Categorisation": {"Dataflow", "CategoryScheme"}, "ContentConstraint": {"Dataflow"},
}

// StructureQuery is a request for structures.
type StructureQuery struct {
	Resource   string
	Reference  Reference
	Items      string // of lists and schemes; empty: all
	References []string
	Detail     string
}

// details are the values of the parameter detail.
var details = []string{"", "full", "raw", "allstubs", "allcompletestubs", "referencestubs", "referencecompletestubs", "referencepartial"}

// wanted returns the matched class, empty for all, and the classes that are referenced.
func (q *StructureQuery) wanted() (class string, referenced []string, err error) {
	if !slices.Contains(details, q.Detail) {
		return "", nil, stat.Errorf(stat.Invalid, "parameter detail must be %s, not %.40q", stat.JoinWords(details[1:]), q.Detail)
	}
	if q.Resource == "structure" || slices.Contains(wildcards, q.Resource) {
		return "", nil, nil
	}
	class, ok := classes[q.Resource]
	if !ok {
		if slices.Contains(otherResources, q.Resource) {
			return "", nil, stat.Errorf(stat.NotFound, "there is no %s here; there are %s", q.Resource, stat.JoinWords(Resources()))
		}
		return "", nil, stat.Errorf(stat.Invalid, "unknown resource %.60q; there are %s", q.Resource, stat.JoinWords(Resources()))
	}
	for _, reference := range q.References {
		more, err := referencedClasses(class, reference)
		if err != nil {
			return "", nil, err
		}
		referenced = append(referenced, more...)
	}
	return class, referenced, nil
}

func referencedClasses(class, reference string) ([]string, error) {
	parents := parentsOf(class)
	siblings := slices.Clone(parents)
	for _, parent := range parents {
		siblings = append(siblings, children[parent]...)
	}
	descendants := descendantsOf(class)
	switch reference {
	case "", "none":
		return nil, nil
	case "children":
		return children[class], nil
	case "descendants":
		return descendants, nil
	case "parents":
		return parents, nil
	case "ancestors":
		all := parents
		for _, parent := range parents {
			all = append(all, parentsOf(parent)...)
		}
		return all, nil
	case "parentsandsiblings":
		return siblings, nil
	case "all":
		return append(siblings, descendants...), nil
	}
	wanted, ok := classes[reference]
	if !ok && !slices.Contains(otherResources, reference) {
		return nil, stat.Errorf(stat.Invalid, "parameter references must be none, parents, parentsandsiblings, ancestors, children, descendants, all or a resource such as codelist, not %.60q", reference)
	}
	if slices.Contains(append(siblings, descendants...), wanted) {
		return []string{wanted}, nil
	}
	return nil, nil
}

func parentsOf(class string) []string {
	var parents []string
	for _, parent := range []string{"Categorisation", "ContentConstraint", "Dataflow", "DataStructure"} {
		if slices.Contains(children[parent], class) {
			parents = append(parents, parent)
		}
	}
	return parents
}

func descendantsOf(class string) []string {
	var all []string
	for _, child := range children[class] {
		all = append(append(all, child), descendantsOf(child)...)
	}
	return all
}

// Resolver finds the artefacts that requests for structures name.
type Resolver struct {
	Catalog *store.Catalog
	// Versions returns the versions of a dataset, oldest first.
	Versions func(*store.Entry) ([]string, error)
	// Open returns the structures of a version of a dataset.
	Open func(e *store.Entry, version string) (*sdmx.Structures, error)
	// Region returns what has data in a whole dataset.
	Region func(*sdmx.Flow) (*sdmx.Region, error)
	// Topics returns the codes of the topics of datasets.
	Topics func([]*store.Entry) map[int][]string

	q     StructureQuery
	class string // matched; empty: all
	wants []string
	found []*sdmx.Artefact
	seen  map[string]bool
}

// Resolve returns the artefacts that a query asks for, those it names before those they refer to.
func (r *Resolver) Resolve(q StructureQuery) ([]*sdmx.Artefact, error) {
	class, referenced, err := q.wanted()
	if err != nil {
		return nil, err
	}
	r.q, r.class, r.wants, r.seen = q, class, referenced, map[string]bool{}
	switch class {
	case "AgencyScheme", "CategoryScheme":
		r.addShared(class)
		if len(referenced) == 0 {
			break
		}
		err = r.addFlows(nil)
	case "":
		r.addShared("AgencyScheme")
		r.addShared("CategoryScheme")
		r.wants = []string{"Dataflow", "Categorisation", "DataStructure", "ConceptScheme", "Codelist", "ContentConstraint"}
		err = r.addFlows(func(id string) string { return id })
	default:
		if class == "Codelist" {
			r.addStatusCodes()
		}
		err = r.addFlows(func(id string) string { return flowOf(class, id) })
		if stat.KindOf(err) == stat.NotFound && len(r.found) > 0 {
			err = nil
		}
	}
	if err == nil && len(r.found) == 0 {
		err = r.errNone()
	}
	return r.found, err
}

// errNone is the error if there is nothing that the query names.
func (r *Resolver) errNone() error {
	name := r.q.Reference.String()
	if r.q.Items != "" {
		name += " with " + r.q.Items
	}
	return stat.Errorf(stat.NotFound, "there is no %s %.300s here; dataflow/all lists all dataflows, dataflow/all/ID/all the versions of one", r.q.Resource, name)
}

// flowOf returns the ID of the dataflow that an artefact belongs to.
func flowOf(class, id string) string {
	if prefix := prefixes[class]; prefix != "" {
		return sdmx.FlowOf(prefix, id)
	}
	return id
}

// prefixes begin the IDs of artefacts that belong to a dataflow.
var prefixes = map[string]string{"DataStructure": "DSD", "ConceptScheme": "CS", "ContentConstraint": "CR", "Categorisation": "CAT", "Codelist": "CL"}

// addFlows adds what is wanted of the datasets that the reference names, of all if flow is nil.
func (r *Resolver) addFlows(flow func(id string) string) error {
	ref := r.q.Reference
	if flow == nil {
		ref, flow = Reference{}, func(id string) string { return id }
	}
	entries, err := ref.entries(r.Catalog, flow)
	if err != nil {
		return r.errNone()
	}
	topics := map[int][]string{}
	if r.wantsClass("Categorisation") {
		topics = r.Topics(entries)
	}
	opens := slices.ContainsFunc([]string{"DataStructure", "Codelist", "ConceptScheme", "ContentConstraint"}, r.wantsClass)
	editions, opened, err := r.editionsOf(entries, ref.Versions, opens)
	if err != nil {
		return err
	}
	if len(editions) == 0 {
		return r.errNone()
	}
	if opened > maxOpened {
		return &TooLarge{fmt.Sprintf("%d versions of datasets match, and the structures of at most %d are in one response; name the agency, the dataflows or one version, or ask for dataflow/all without references", opened, maxOpened)}
	}
	for _, e := range editions {
		if err := r.addFlow(e, opens || len(entries) == 1, topics[e.ID]); err != nil {
			return err
		}
	}
	if slices.Contains(r.wants, "CategoryScheme") {
		r.add(CategoryScheme())
	}
	return nil
}

// edition is a version of a dataset.
type edition struct {
	*store.Entry
	version string
}

// isCurrent reports whether the version is the one that the catalogue describes.
func (e edition) isCurrent() bool { return e.version == e.Version }

// editionsOf returns the versions of datasets that are named. opened is the number of those that
// have to be opened: all, or earlier ones, of which the catalogue says nothing.
func (r *Resolver) editionsOf(entries []*store.Entry, named Versions, opens bool) (editions []edition, opened int, err error) {
	for _, e := range entries {
		versions := []string{e.Version}
		if named != nil && e.Versions > 1 {
			if versions, err = r.Versions(e); err != nil {
				return nil, 0, err
			}
		}
		for _, version := range named.Of(versions) {
			one := edition{e, version}
			editions = append(editions, one)
			if opens || !one.isCurrent() {
				opened++
			}
		}
	}
	return editions, opened, nil
}

// TooLarge is the error for a response that would be too large.
type TooLarge struct{ Message string }

func (e *TooLarge) Error() string { return e.Message }

func (r *Resolver) wantsClass(class string) bool {
	return class == r.class || slices.Contains(r.wants, class)
}

// addFlow adds what is wanted of a version of a dataset. The topics are those of the current one.
func (r *Resolver) addFlow(e edition, opens bool, topics []string) error {
	if e.isCurrent() && !opens {
		r.add(entryDataflow(e.Entry))
		r.addCategorisations(e.Entry, topics)
		return nil
	}
	s, err := r.Open(e.Entry, e.version)
	if err != nil {
		return err
	}
	r.add(s.Dataflow())
	if e.isCurrent() {
		r.addCategorisations(e.Entry, topics)
	}
	r.add(s.DataStructure())
	r.add(s.ConceptScheme())
	for _, list := range s.Codelists() {
		r.add(list)
	}
	if r.wantsClass("Codelist") && (r.class != "Codelist" || slices.Contains(r.wants, "Codelist")) {
		r.add(sdmx.StatusCodes())
	}
	if !r.wantsClass("ContentConstraint") {
		return nil
	}
	region, err := r.Region(s.Flow)
	if err == nil {
		r.add(s.Constraint(region))
	}
	return err
}

// addCategorisations adds a categorisation for each topic of a dataset.
func (r *Resolver) addCategorisations(e *store.Entry, topics []string) {
	if !r.wantsClass("Categorisation") {
		return
	}
	for _, topic := range topics {
		r.add(categorisation(e, topic))
	}
}

// addStatusCodes adds the list of OBS_STATUS if the query names it.
func (r *Resolver) addStatusCodes() {
	if list := sdmx.StatusCodes(); r.q.Reference.isOf(list) {
		r.add(list)
	}
}

// isOf reports whether the agency and the version of an artefact are named.
func (r Reference) isOf(a *sdmx.Artefact) bool {
	return (r.Agencies == nil || slices.Contains(r.Agencies, a.Agency)) && r.Versions.Of([]string{a.Version}) != nil
}

// addShared adds the agency scheme or the category scheme if the query names it.
func (r *Resolver) addShared(class string) {
	a := CategoryScheme()
	if class == "AgencyScheme" {
		a = r.agencyScheme()
	}
	if r.q.Reference.isOf(a) {
		r.add(a)
	}
}

// add adds an artefact that the query names or that is referenced, with as much of it as the
// detail says.
func (r *Resolver) add(a *sdmx.Artefact) {
	isNamed := (r.class == "" || a.Class == r.class) && r.isNamed(a)
	if !isNamed && !slices.Contains(r.wants, a.Class) || r.seen[a.Reference().URN()] {
		return
	}
	r.seen[a.Reference().URN()] = true
	switch detail := r.q.Detail; {
	case detail == "allstubs", detail == "referencestubs" && !isNamed:
		a = a.Stub(false)
	case detail == "allcompletestubs", detail == "referencecompletestubs" && !isNamed:
		a = a.Stub(true)
	case isNamed && r.q.Items != "":
		if a = withItems(a, listOf(r.q.Items)); a.IsPartial && a.Items == nil {
			return // it has none of the items
		}
	}
	r.found = append(r.found, a)
}

func (r *Resolver) isNamed(a *sdmx.Artefact) bool {
	ids := r.q.Reference.IDs
	return ids == nil || slices.ContainsFunc(ids, func(id string) bool { return strings.EqualFold(id, a.ID) || r.class == "" })
}

// withItems returns a scheme with some of its items, each with those above it.
func withItems(a *sdmx.Artefact, ids []string) *sdmx.Artefact {
	if ids == nil || a.Items == nil {
		return a
	}
	part := *a
	part.IsPartial = true
	part.Items = selectItems(a.Items, ids, "")
	return &part
}

func selectItems(items []sdmx.Item, ids []string, path string) []sdmx.Item {
	var some []sdmx.Item
	for _, item := range items {
		id := path + item.ID
		inside := selectItems(item.Items, ids, id+".")
		isWanted := slices.ContainsFunc(ids, func(wanted string) bool { return wanted == id || sdmx.EscapeID(wanted) == id })
		if inside != nil || isWanted {
			item.Items = inside
			some = append(some, item)
		}
	}
	return some
}
