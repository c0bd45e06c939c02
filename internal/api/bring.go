package api

import (
	"cmp"
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/offer"
	"almanac/internal/request"
	"almanac/internal/source/offices"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Bringing says which datasets of offices callers may have brought into the store, with
// POST /api/datasets.
type Bringing struct {
	Sources *offices.Table // the offices with a server; nil: none
	Offers  *offer.DB      // the offices' lists; nil: none
	// Everyone allows it to all callers, not only to the accounts that may.
	Everyone bool
	// WorksHere says that this process works on jobs; else another one must.
	WorksHere bool
	Limits    watch.JobLimits
}

// jobReply is a job in a response, or a dataset that is in the store already.
type jobReply struct {
	Job       int64           `json:"job,omitempty"`
	Reference string          `json:"reference"`
	Status    watch.JobStatus `json:"status"`
	Stage     watch.JobStage  `json:"stage,omitempty"`
	Bytes     int64           `json:"bytes,omitempty"`
	Created   time.Time       `json:"created,omitzero"`
	Started   time.Time       `json:"started,omitzero"`
	Finished  time.Time       `json:"finished,omitzero"`
	Attempts  int             `json:"attempts,omitempty"`
	Dataset   int             `json:"dataset,omitempty"`
	Version   string          `json:"version,omitempty"`
	Error     string          `json:"error,omitempty"`
}

func (x *exchange) jobReply(status int, r jobReply) (*reply, error) {
	text, err := stdjson.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encoding a job: %w", err)
	}
	return &reply{status: status, body: newBody(text), cacheControl: privateNoStore, ignoresCoding: status == http.StatusAccepted}, nil
}

// bringDataset requests that a dataset of an office is brought into the store, and replies
// with the job, or with the dataset if it is in the store.
func (x *exchange) bringDataset() (*reply, error) {
	began := x.api.opts.Now()
	if err := x.mayBring(); err != nil {
		return nil, err
	}
	body, err := x.readJSON(request.MaxReference)
	if err != nil {
		return nil, err
	}
	if _, err := bind[request.None](x); err != nil {
		return nil, err
	}
	text, err := request.ReadReference(body)
	if err != nil {
		return nil, err
	}
	x.demand.ref = text
	ref, listed, err := x.offered(text)
	if err != nil {
		return nil, err
	}
	stored, err := x.storedDataset(ref)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		x.demand.isFound = true
		x.setLocation("/api/datasets/" + strconv.Itoa(stored.ID))
		return x.jobReply(http.StatusOK, jobReply{Reference: ref.String(), Status: watch.JobDone, Dataset: stored.ID, Version: stored.Version})
	}
	r := watch.JobRequest{Ref: ref.String(), Office: ref.Office, IsListed: listed != nil, Since: began.Add(-followTime)}
	if listed != nil {
		r.Title = listed.Title
	}
	return x.addJob(r)
}

// mayBring returns an error if the caller may not have datasets brought.
func (x *exchange) mayBring() error {
	b := &x.api.opts.Bringing
	switch {
	case !x.api.brings():
		return &refusal{http.StatusForbidden, "this service brings no datasets of offices"}
	case b.Everyone || x.caller.MayBring:
		return nil
	case x.caller.Account == 0:
		return &refusal{http.StatusForbidden, "only accounts that the operator has allowed may have datasets brought; send the API key of such an account"}
	}
	return &refusal{http.StatusForbidden, "this account may not have datasets brought; ask the operator of the service to allow it"}
}

// whoBrings says who may have datasets brought.
func (a *API) whoBrings() string {
	switch {
	case !a.brings():
		return "none"
	case a.opts.Bringing.Everyone:
		return "everyone"
	}
	return "accounts"
}

// parseRef parses a reference to a dataset of an office with a known server. The error is
// [stat.NotFound] without such a server.
func (b *Bringing) parseRef(text string) (ref offices.Ref, err error) {
	source, code, _ := strings.Cut(text, ":")
	switch {
	case code == "" || source == "" || strings.HasPrefix(code, "//"):
		return ref, stat.Errorf(stat.Invalid, "invalid reference %.100q; %s", text, referenceForm)
	case strings.Contains(code, "*") || strings.HasPrefix(strings.ToLower(code), "theme/"):
		return ref, stat.Errorf(stat.Invalid, "the reference %.100q is to several datasets; %s", text, referenceForm)
	}
	if ref, err = b.Sources.ParseRef(text); err != nil {
		return ref, stat.Errorf(stat.NotFound, "no server is known for the source %.100q of the reference %.100q%s", source, text, b.nearestSources(source))
	}
	return ref, nil
}

// canBring reports whether a dataset of the offices' lists can be requested by callers who may.
func (a *API) canBring(source, code string) bool {
	if !a.brings() {
		return false
	}
	_, err := a.opts.Bringing.parseRef(source + ":" + code)
	return err == nil
}

// brings reports whether this service brings datasets of offices at all.
func (a *API) brings() bool { return a.opts.Bringing.Sources != nil && a.opts.Watches != nil }

const referenceForm = "it must be an office and the code of a dataset, as in eurostat:une_rt_m"

// offered returns the reference of a dataset in its office's spelling, with its entry in the
// office's list. The error is [stat.NotFound] if the list was read from the office and lacks
// the dataset. If it was not, there is no entry, and the job looks for the dataset.
func (x *exchange) offered(text string) (ref offices.Ref, listed *offer.Offer, err error) {
	b := &x.api.opts.Bringing
	if ref, err = b.parseRef(text); err != nil {
		return ref, nil, err
	}
	o, _ := b.Sources.Office(ref.Office)
	var entries []offer.Offer
	ctx := x.r.Context()
	if b.Offers != nil {
		if entries, err = b.Offers.Find(ctx, ref.Office, ref.Code); err != nil {
			return ref, nil, err
		}
	}
	if len(entries) > 0 {
		ref.Code, listed = entries[0].Code, &entries[0]
		for i := range entries { // one for each language
			if entries[i].Language == cmp.Or(o.Language, "en") {
				listed = &entries[i]
			}
		}
		return ref, listed, nil
	}
	if o.IsPart(ref.Code) {
		return ref, nil, stat.Errorf(stat.Invalid, "the reference %.100q is to a part of a dataset; only whole datasets are brought: %s", text, referenceForm)
	}
	if b.Offers == nil {
		return ref, nil, nil
	}
	sources, err := b.Offers.Sources(ctx)
	if err != nil {
		return ref, nil, err
	}
	for _, s := range sources {
		if s.Source == ref.Office && s.Entries > 0 && s.Origin == "" { // a table may lack datasets
			near, err := b.Offers.Near(ctx, ref.Office, ref.Code)
			if err != nil {
				return ref, nil, err
			}
			for i, code := range near {
				near[i] = fmt.Sprintf("%.150s", ref.Office+":"+code)
			}
			return ref, nil, stat.Errorf(stat.NotFound, "the list of %s of %s has no dataset %.100q%s", ref.Office, s.Listed.UTC().Format(time.DateOnly), ref.Code, nearestText(near))
		}
	}
	return ref, nil, nil
}

// nearestSources returns the end of a message that names the offices whose ID resembles that
// of a source, or begins it, as fao does faostat.
func (b *Bringing) nearestSources(source string) string {
	source = strings.ToLower(source)
	var near, all []string
	for _, o := range b.Sources.Offices() {
		if all = append(all, o.ID); len(o.ID) >= 3 && strings.HasPrefix(source, o.ID) {
			near = append(near, o.ID)
		}
	}
	if near == nil {
		near = stat.Nearest(source, all)
	}
	return nearestText(near)
}

func nearestText(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; nearest: " + strings.Join(near, ", ")
}

// storedDataset returns the dataset of a reference, or nil if it is not in the store.
func (x *exchange) storedDataset(ref offices.Ref) (*store.Entry, error) {
	catalog := x.api.opts.Store.Catalog()
	items, err := x.api.opts.Watches.Items(x.r.Context(), ref.String())
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if stored := catalog.Entry(it.Dataset); stored != nil {
			return stored, nil
		}
	}
	if stored := catalog.Find(ref.Office, ref.Code); stored != nil {
		return stored, nil
	}
	return catalog.Find(x.api.opts.Offices[ref.Office].ID, ref.Code), nil
}

// addJob adds a job, unless a limit is used up or no process would work on it.
func (x *exchange) addJob(r watch.JobRequest) (*reply, error) {
	if !x.api.opts.Bringing.WorksHere {
		hasRunner, err := x.api.opts.Watches.IsDone(watch.BringsJobs)
		if err != nil {
			return nil, err
		}
		if !hasRunner {
			return nil, stat.Errorf(stat.Unavailable, "no process of this service brings datasets at the moment; try again later")
		}
	}
	if err := x.admit(); err != nil {
		return nil, err // before anything is changed
	}
	limits := x.api.opts.Bringing.Limits
	r.Subject, r.Limit, r.LimitOfAll = x.api.opts.Access.Subject(x.caller), limits.Anonymous, limits.All
	if x.caller.Account != 0 {
		r.Limit = limits.Account
	}
	r.Now = x.api.opts.Now()
	added, err := x.api.opts.Watches.AddJob(x.r.Context(), r)
	switch {
	case err != nil:
		return nil, err
	case added.UsedUp == watch.SubjectLimit:
		return nil, x.noMoreJobs(r.Limit, "of datasets that are brought for you", r.Now)
	case added.UsedUp == watch.LimitOfAll:
		return nil, x.noMoreJobs(r.LimitOfAll, "of datasets that are brought for all callers together", r.Now)
	case added.UsedUp == watch.MissingLimit:
		limit := max(r.Limit, 0)
		if limit == 0 { // unlimited
			limit = r.LimitOfAll
		}
		return nil, x.noMoreJobs(watch.MissingPerLimit*limit, "of requests for datasets that the offices do not have", r.Now)
	}
	x.setLocation("/api/jobs/" + strconv.FormatInt(added.ID, 10))
	return x.jobReply(http.StatusAccepted, x.api.describeJob(&added.Job))
}

// noMoreJobs returns the error for a limit of new jobs that is used up.
func (x *exchange) noMoreJobs(limit int64, what string, now time.Time) error {
	reset := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	s := access.Standing{Limit: access.Limit(limit), Used: limit, Reset: reset, Left: (reset.Sub(now) + time.Second - 1).Truncate(time.Second)}
	message := fmt.Sprintf("the daily limit %s (%d) is used up; it resets at midnight UTC, %s", what, limit, reset.Format(time.RFC3339))
	return x.tooMany(&s, newLimitPolicy("datasets", s.Limit, dayLong), message)
}

// setLocation sets the header Location to an address of the service, and lets pages of
// other origins read it.
func (x *exchange) setLocation(path string) {
	if base, err := url.Parse(x.api.opts.BaseURL); err == nil {
		path = base.EscapedPath() + path
	}
	h := x.w.Header()
	h["Location"] = []string{path}
	h["Access-Control-Expose-Headers"] = []string{exposedHeaders[0] + ", Location"}
}

// job replies with the progress of a job.
func (x *exchange) job() (*reply, error) {
	text := x.r.PathValue("job")
	if strings.Trim(text, "0123456789") != "" {
		return nil, stat.Errorf(stat.Invalid, "the number of a job must be a decimal integer, not %.100q", text)
	}
	var j watch.Job
	var ok bool
	id, err := strconv.ParseInt(text, 10, 64)
	if err == nil && x.api.opts.Watches != nil {
		if j, ok, err = x.api.opts.Watches.Job(x.r.Context(), id); err != nil {
			return nil, &stat.Error{Kind: stat.Unavailable, Message: "jobs cannot be read at the moment; see the log", Err: err}
		}
	}
	if !ok {
		return nil, stat.Errorf(stat.NotFound, "there is no job %.100s; finished jobs are kept for 30 days", text)
	}
	return x.jobReply(http.StatusOK, x.api.describeJob(&j))
}

// followTime is how long this process may need to see a dataset that another one has
// published.
const followTime = 5 * time.Second

// describeJob returns what callers see of a job. Until this process can serve the dataset,
// the job is not done.
func (a *API) describeJob(j *watch.Job) jobReply {
	r := jobReply{
		Job: j.ID, Reference: j.Ref, Status: j.Status, Stage: j.Stage, Bytes: j.Bytes, Attempts: j.Attempts,
		Created: j.Created, Started: j.Started, Finished: j.Finished, Dataset: j.Dataset, Version: j.Version,
	}
	if j.Status == watch.JobDone && a.opts.Store.Catalog().Entry(j.Dataset) == nil && a.opts.Now().Sub(j.Finished) < followTime {
		r.Status, r.Stage, r.Dataset, r.Version, r.Finished = watch.JobRunning, watch.JobPublishing, 0, "", time.Time{}
	}
	if j.Status == watch.JobFailed {
		r.Error = publicJobError(j)
	}
	return r
}

// addresses matches the addresses in an error, which may be those of an internal network.
var addresses = regexp.MustCompile(`https?://[^\s"')]*[^\s"'):;,.]`)

// publicJobError returns the part of a job's error that may be published: nothing of how the
// operator has set up the service.
func publicJobError(j *watch.Job) string {
	switch j.Fault {
	case watch.FaultMissing:
		return "the office does not offer this dataset"
	case watch.FaultUnlisted:
		return "the office's server did not send this dataset, and the office's list of datasets could not be read"
	case watch.FaultKeyless:
		return "this service has no key of the office"
	case watch.FaultContested:
		return "this service has the dataset under another reference already"
	case watch.FaultRefused:
		return addresses.ReplaceAllString(j.Error, "the office's server")
	case watch.FaultInterrupted:
		return j.Error
	}
	if found := strings.TrimSpace(publicErrors.FindString(j.Error)); found != "" {
		return found
	}
	return "the dataset could not be fetched or stored; see the log of the service"
}
