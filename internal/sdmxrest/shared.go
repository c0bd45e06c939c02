package sdmxrest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/topics"
)

// The scheme of the subject-matter domains of SDMX.
const (
	domainsAgency  = "SDMX"
	domainsID      = "STAT_SUBJECT_MATTER"
	domainsVersion = "1.0"
)

// CategoryScheme returns the subject-matter domains as a category scheme. The ID of a domain is its
// code with hyphens: "1.2" is "1-2" within "1".
func CategoryScheme() *sdmx.Artefact {
	a := &sdmx.Artefact{Class: "CategoryScheme", Agency: domainsAgency, ID: domainsID, Version: domainsVersion, Names: stat.Texts{"en": "Statistical subject-matter domains"}}
	a.Items = categoriesIn("")
	return a
}

// categoriesIn returns the domains below one.
func categoriesIn(above string) []sdmx.Item {
	var items []sdmx.Item
	for _, t := range topics.All() {
		if t.Code[:max(0, strings.LastIndexByte(t.Code, '.'))] != above {
			continue
		}
		names := stat.Texts{"en": t.Name}
		maps.Copy(names, t.Names)
		items = append(items, sdmx.Item{ID: categoryID(t.Code), Names: names, Items: categoriesIn(t.Code)})
	}
	return items
}

func categoryID(topic string) string { return strings.ReplaceAll(topic, ".", "-") }

// categoryPath returns the path of a domain in the scheme: "1.1-2" for the topic 1.2.
func categoryPath(topic string) string {
	var path []string
	for i, c := range topic + "." {
		if c == '.' {
			path = append(path, categoryID(topic[:i]))
		}
	}
	return strings.Join(path, ".")
}

// categorisation says that a dataset belongs to a topic.
func categorisation(e *store.Entry, topic string) *sdmx.Artefact {
	flow := entryDataflow(e)
	return &sdmx.Artefact{
		Class: "Categorisation", Agency: flow.Agency, ID: sdmx.PartID("CAT", flow.ID, categoryID(topic)), Version: flow.Version, Names: flow.Names,
		Source: flow.Reference(),
		Target: sdmx.Reference{Class: "Category", Agency: domainsAgency, ID: domainsID, Version: domainsVersion, Item: categoryPath(topic)},
	}
}

// entryDataflow returns the dataflow of a dataset in the catalogue, without its description.
func entryDataflow(e *store.Entry) *sdmx.Artefact {
	a := &sdmx.Artefact{Class: "Dataflow", Agency: sdmx.AgencyOf(e.Source), ID: sdmx.EscapeID(e.Code), Version: sdmx.SemanticVersion(e.Version), Names: e.Names}
	if a.Names == nil {
		a.Names = stat.Texts{"": cmp.Or(e.Name, e.Code)}
	}
	a.Structure = sdmx.Reference{Class: "DataStructure", Agency: a.Agency, ID: sdmx.ListID("DSD", a.ID), Version: a.Version}
	return a
}

// agencyScheme returns the sources as agencies.
func (r *Resolver) agencyScheme() *sdmx.Artefact {
	a := &sdmx.Artefact{Class: "AgencyScheme", Agency: "SDMX", ID: "AGENCIES", Version: "1.0", Names: stat.Texts{"en": "Agencies"}}
	names := map[string]string{sdmx.StatusAgency: "SDMX"}
	for i := range r.Catalog.Entries {
		e := &r.Catalog.Entries[i]
		names[sdmx.AgencyOf(e.Source)] = cmp.Or(e.SourceName, e.Source)
	}
	for _, id := range slices.Sorted(maps.Keys(names)) {
		a.Items = append(a.Items, sdmx.Item{ID: id, Names: stat.Texts{"": names[id]}})
	}
	return a
}
