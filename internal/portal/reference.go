package portal

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// interfaceDescription is what the pages of the reference read of /openapi.json.
type interfaceDescription struct {
	Info       struct{ Version, Description string }
	Tags       []struct{ Name, Description string }
	Paths      map[string]map[string]*operation
	Components struct {
		Responses map[string]*described
		Schemas   map[string]*schema
	}
}

// operation is one method of one address.
type operation struct {
	Method, Path string `json:"-"`
	ID           string `json:"operationId"`
	Summary      string
	Description  string
	Tags         []string
	Parameters   []*parameter
	RequestBody  *described
	Responses    map[string]*described
}

type parameter struct {
	Name, In, Description string
	Required              bool
	Schema                *schema
}

type described struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]struct {
		Schema   *schema
		Examples map[string]struct {
			Summary string
			Value   json.RawMessage
		}
	}
}

type schema struct {
	Ref         string `json:"$ref"`
	Description string
	Default     json.RawMessage
	Enum        []json.RawMessage
	Items       *schema
	Properties  map[string]*schema
	Required    []string
}

// Choices lists the values that a parameter may have, if they are few.
func (s *schema) Choices() string {
	if s == nil {
		return ""
	}
	if s.Items != nil && len(s.Enum) == 0 {
		return s.Items.Choices()
	}
	var all []string
	for _, v := range s.Enum {
		all = append(all, strings.Trim(string(v), `"`))
	}
	return strings.Join(all, ", ")
}

// Usual is the value of a parameter that is left out.
func (s *schema) Usual() string {
	if s == nil {
		return ""
	}
	return strings.Trim(string(s.Default), `"`)
}

// referencePage is the content of the index of the reference, or of the page of one operation.
type referencePage struct {
	Version string
	Groups  []referenceGroup

	Operation  *operation
	Parameters []*parameter
	Body       []*parameter
	Statuses   []referenceStatus
	Request    string // of the example
	Example    string
}

type referenceGroup struct {
	Name, Description string
	Operations        []*operation
}

type referenceStatus struct{ Status, Meaning string }

// reference is the index of all operations, or the page of one.
func (p *page) reference() error {
	var d interfaceDescription
	if err := p.read("/openapi.json", nil, &d); err != nil {
		return err
	}
	c := &referencePage{Version: d.Info.Version}
	all := d.operations()
	p.template, p.Section, p.Content = "reference", "guide", c
	p.Title = p.lang.text("nav.reference")
	p.Trail = []link{{p.lang.text("nav.guide"), "/guide"}, {p.Title, ""}}
	p.Aside = p.lang.text("reference.version", "version", c.Version)
	name := p.r.PathValue("operation")
	if name == "" {
		c.Groups = d.groups(all)
		return nil
	}
	at := slices.IndexFunc(all, func(o *operation) bool { return strings.EqualFold(o.ID, name) })
	if at < 0 {
		return p.unknownAddress()
	}
	c.Operation = all[at]
	if c.Operation.ID != name {
		p.redirect("/reference/"+url.PathEscape(c.Operation.ID), http.StatusMovedPermanently)
		p.template = ""
		return nil
	}
	d.describe(c)
	p.Title = c.Operation.Summary
	p.Trail = []link{{p.lang.text("nav.guide"), "/guide"}, {p.lang.text("nav.reference"), "/reference"}, {c.Operation.ID, ""}}
	return nil
}

// operations lists the operations by address.
func (d *interfaceDescription) operations() (all []*operation) {
	for path, methods := range d.Paths {
		for method, o := range methods {
			o.Method, o.Path = strings.ToUpper(method), path
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b *operation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	return all
}

func (d *interfaceDescription) groups(all []*operation) (groups []referenceGroup) {
	for _, tag := range d.Tags {
		g := referenceGroup{Name: tag.Name, Description: tag.Description}
		for _, o := range all {
			if slices.Contains(o.Tags, tag.Name) {
				g.Operations = append(g.Operations, o)
			}
		}
		if len(g.Operations) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// describe completes the page of an operation.
func (d *interfaceDescription) describe(c *referencePage) {
	o := c.Operation
	c.Parameters = joinNumbered(o.Parameters)
	if o.RequestBody != nil {
		s := d.resolve(o.RequestBody.Content["application/json"].Schema)
		for _, name := range sortedNames(s) {
			c.Body = append(c.Body, &parameter{Name: name, Description: d.meaning(s.Properties[name]), Required: slices.Contains(s.Required, name), Schema: s.Properties[name]})
		}
		c.Body = joinNumbered(c.Body)
	}
	for status, r := range o.Responses {
		if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok && d.Components.Responses[name] != nil {
			r = d.Components.Responses[name]
		}
		if status != "default" {
			c.Statuses = append(c.Statuses, referenceStatus{status, r.Description})
		}
		for _, media := range r.Content {
			if example, ok := media.Examples["sample"]; ok && strings.HasPrefix(status, "2") {
				_, request, _ := strings.Cut(example.Summary, ": ")
				c.Request, c.Example = request, outline(example.Value)
			}
		}
	}
	slices.SortFunc(c.Statuses, func(a, b referenceStatus) int { return strings.Compare(a.Status, b.Status) })
}

func (d *interfaceDescription) resolve(s *schema) *schema {
	if s == nil {
		return &schema{}
	}
	if found := d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]; s.Ref != "" && found != nil {
		return found
	}
	return s
}

func (d *interfaceDescription) meaning(s *schema) string {
	return cmp.Or(s.Description, d.resolve(s).Description)
}

func sortedNames(s *schema) (names []string) {
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var numberedName = regexp.MustCompile(`^(.*[a-z])1$`)

// joinNumbered joins parameters that differ in their number only: dim1 … dim8.
func joinNumbered(all []*parameter) (joined []*parameter) {
	for i := 0; i < len(all); i++ {
		one := *all[i]
		if stem := numberedName.FindStringSubmatch(one.Name); stem != nil {
			last := i
			for last+1 < len(all) && strings.TrimRight(all[last+1].Name, "23456789") == stem[1] {
				last++
			}
			if last > i {
				one.Name += " … " + all[last].Name
				i = last
			}
		}
		joined = append(joined, &one)
	}
	return joined
}
