package blob

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/singleflight"

	"almanac/internal/stat"
)

// Bucket is an object store with a cache on the local disk. The cache has whole blobs; parts of
// others are read from the object store.
type Bucket struct {
	place  *Place
	reads  *minio.Core // gives up early, because callers wait
	writes *minio.Client
	staging
	cache    *cache
	fetching singleflight.Group
	state    state
}

// BucketOptions configure a [Bucket].
type BucketOptions struct {
	Place *Place
	Dir   string // of the cache; created if it does not exist
	Cache int64  // bytes of the cache
	Now   func() time.Time
}

// How long the object store may take. Reading a body may take bodyTime and a second for each
// bytesPerSecond.
const (
	dialTime       = 3 * time.Second
	readTime       = 5 * time.Second // until a response begins
	writeTime      = 60 * time.Second
	bodyTime       = 10 * time.Second
	bytesPerSecond = 1 << 20
	maxTries       = 3
)

func timeFor(size int64) time.Duration {
	return bodyTime + time.Duration(size/bytesPerSecond)*time.Second
}

// OpenBucket prepares the use of an object store. It asks nothing of it yet.
func OpenBucket(o BucketOptions) (*Bucket, error) {
	b := &Bucket{place: o.Place}
	var err error
	if b.staging, err = openStaging(o.Dir, o.Now()); err != nil {
		return nil, err
	}
	if b.cache, err = openCache(o.Dir, o.Cache, o.Now); err != nil {
		return nil, err
	}
	reads, err := newClient(o.Place, readTime)
	if err != nil {
		return nil, err
	}
	b.reads = &minio.Core{Client: reads}
	b.writes, err = newClient(o.Place, writeTime)
	return b, err
}

func newClient(p *Place, headerTime time.Duration) (*minio.Client, error) {
	transport, err := minio.DefaultTransport(p.secure)
	if err != nil {
		return nil, err
	}
	transport.DialContext = (&net.Dialer{Timeout: dialTime, KeepAlive: 30 * time.Second}).DialContext
	transport.ResponseHeaderTimeout = headerTime
	key, err := credential()
	if err != nil {
		return nil, err
	}
	client, err := minio.New(p.host, &minio.Options{Creds: key, Secure: p.secure, Region: p.region, Transport: transport, MaxRetries: maxTries})
	return client, stat.Wrap(err, "using the object store of the blobs")
}

// Folder returns the blobs below a folder of the place.
func (b *Bucket) Folder(name string) *S3 { return &S3{b, name + "/"} }

// All returns all blobs below the place.
func (b *Bucket) All() *S3 { return &S3{b, ""} }

// S3 stores blobs below a folder of a bucket.
type S3 struct {
	*Bucket
	folder string
}

// name returns the name of a blob in the bucket's cache; the prefix of the place is before it in
// the object store.
func (s *S3) name(key string) string { return s.folder + key }

// object returns the key of a blob in the object store.
func (b *Bucket) object(name string) string { return b.place.prefix + name }

// Address returns s3://BUCKET/KEY.
func (s *S3) Address(key string) string {
	return "s3://" + s.place.bucket + "/" + s.object(s.name(key))
}

// Stage writes a blob to the local disk, in the form that it has in the cache.
func (s *S3) Stage(write func(io.Writer) error) (Staged, error) {
	u := &upload{s3: s}
	var err error
	u.path, err = s.write(func(f *os.File) (err error) {
		u.size, u.digest, err = writeCopy(f, write)
		return err
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// upload is a blob on the local disk that is not in the object store yet.
type upload struct {
	s3     *S3
	path   string
	size   int64
	digest []byte
}

// partSize is the size of the parts in which larger blobs are written.
const partSize = 16 << 20

// digestName is the name of the SHA-256 of a blob in the metadata of its object.
const digestName = "Sha256"

// SaveAs writes the blob to the object store, unless there is one with the key.
func (u *upload) SaveAs(key string) error {
	o := u.options()
	o.SetMatchETagExcept("*")
	err := u.put(key, o)
	switch code := minio.ToErrorResponse(err).Code; {
	case code == minio.PreconditionFailed:
		u.Discard()
		return nil
	case err != nil:
		return u.s3.failed("writing", u.s3.name(key), err)
	}
	u.s3.cache.put(u.s3.name(key), u.path, u.size)
	return nil
}

// Replace writes the blob to the object store.
func (u *upload) Replace(key string) error {
	if err := u.put(key, u.options()); err != nil {
		return u.s3.failed("replacing", u.s3.name(key), err)
	}
	u.s3.cache.put(u.s3.name(key), u.path, u.size)
	return nil
}

func (u *upload) options() minio.PutObjectOptions {
	return minio.PutObjectOptions{PartSize: partSize, ContentType: "application/octet-stream", UserMetadata: map[string]string{digestName: hex.EncodeToString(u.digest)}}
}

func (u *upload) put(key string, o minio.PutObjectOptions) error {
	f, err := os.Open(u.path)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, stop := context.WithTimeout(context.Background(), writeTime+timeFor(u.size))
	defer stop()
	_, err = u.s3.writes.PutObject(ctx, u.s3.place.bucket, u.s3.object(u.s3.name(key)), io.NewSectionReader(f, 0, u.size), u.size, o)
	return err
}

// Discard deletes a blob that was not saved under a key.
func (u *upload) Discard() { os.Remove(u.path) }

// Delete deletes a blob. It is not an error if there is none.
func (s *S3) Delete(key string) error {
	ctx, stop := context.WithTimeout(context.Background(), writeTime)
	defer stop()
	name := s.name(key)
	if err := s.writes.RemoveObject(ctx, s.place.bucket, s.object(name), minio.RemoveObjectOptions{}); err != nil && !isMissing(err) {
		return s.failed("deleting", name, err)
	}
	s.cache.drop(name)
	return nil
}

// List returns the sorted keys below a folder ("12/"); "" lists all.
func (s *S3) List(folder string) (keys []string, err error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	prefix := s.object(s.folder)
	waiting := time.AfterFunc(writeTime, stop)
	defer waiting.Stop()
	for object := range s.writes.ListObjects(ctx, s.place.bucket, minio.ListObjectsOptions{Prefix: prefix + folder, Recursive: true}) {
		if object.Err != nil {
			return nil, s.failed("listing", s.folder+folder, object.Err)
		}
		waiting.Reset(writeTime)
		if key := strings.TrimPrefix(object.Key, prefix); !strings.HasSuffix(key, "/") { // some programs make objects for folders
			keys = append(keys, key)
		}
	}
	if ctx.Err() != nil {
		return nil, s.failed("listing", s.folder+folder, ctx.Err())
	}
	return keys, nil
}

// Open opens a blob: its copy in the cache, a new copy of it, or parts in the object store.
func (s *S3) Open(ctx context.Context, key string, use Use) (*Blob, error) {
	name := s.name(key)
	if use == Original {
		s.cache.doubt(name)
		return s.openRemote(ctx, name)
	}
	if b := s.cache.open(name); b != nil {
		return b, nil
	}
	if use == Part {
		return s.openRemote(ctx, name)
	}
	got, err, _ := s.fetching.Do(name, func() (any, error) {
		if b := s.cache.open(name); b != nil { // it was fetched meanwhile
			return true, b.Close()
		}
		return s.fetch(ctx, name)
	})
	if err != nil {
		return nil, err
	}
	if isCopied, _ := got.(bool); isCopied {
		if b := s.cache.open(name); b != nil {
			return b, nil
		}
	}
	return s.openRemote(ctx, name)
}

// fetch copies a blob into the cache. It reports false if that is too small for it.
func (b *Bucket) fetch(ctx context.Context, name string) (isCopied bool, err error) {
	for range maxTries {
		var r *Blob
		if r, err = b.openRemote(ctx, name); err != nil || !b.cache.hasRoomFor(r.Size) {
			return false, err
		}
		var digest []byte
		path, writeErr := b.write(func(f *os.File) error {
			_, digest, err = writeCopy(f, func(w io.Writer) error {
				_, err := io.Copy(w, r.Reader())
				return err
			})
			return err
		})
		if isLocal(writeErr) {
			return false, nil // a full disk keeps nobody from reading
		}
		if writeErr != nil {
			return false, writeErr
		}
		want := r.remote.digest
		if want == nil || bytes.Equal(want, digest) {
			b.cache.put(name, path, r.Size)
			return true, nil
		}
		os.Remove(path)
		err = fmt.Errorf("%s has the digest %x, not %x", b.object(name), digest, want)
	}
	return false, err
}

// isLocal reports whether an error is one of the local disk.
func isLocal(err error) bool {
	var local *fs.PathError
	return errors.As(err, &local)
}

// isMissing reports whether an error says that there is no such object.
func isMissing(err error) bool { return minio.ToErrorResponse(err).Code == minio.NoSuchKey }

// failed returns the error of something that was done with a blob: [fs.ErrNotExist], a problem of
// the local disk, or else that the object store cannot be used.
func (b *Bucket) failed(doing, name string, err error) error {
	switch {
	case isMissing(err):
		return fmt.Errorf("%s %s: %w", doing, b.object(name), &missingError{err})
	case isLocal(err):
		return fmt.Errorf("%s %s: %w", doing, b.object(name), err)
	}
	answer, message := minio.ToErrorResponse(err), "the object store of the data cannot be reached; try again later"
	why := explanations[answer.Code]
	switch {
	case answer.Code == minio.InvalidRegion || answer.Code == minio.AuthorizationHeaderMalformed:
		why = fmt.Sprintf("the region is %q in the place of blobs or AWS_REGION, but the bucket has another one", b.place.region)
		if answer.Region != "" {
			why += ": " + answer.Region
		}
		fallthrough
	case why != "":
		message = "the object store of the data refuses what the service asks of it; its operator has to mend that"
	}
	return &stat.Error{
		Kind: stat.Unavailable, Message: message,
		Err: fmt.Errorf("%s s3://%s/%s: %s", doing, b.place.bucket, b.object(name), cmp.Or(why, err.Error())),
	}
}

// explanations say what to do about errors of the operator.
var explanations = map[string]string{
	minio.NoSuchBucket:          "there is no such bucket; create it, or mend the place of blobs",
	minio.AccessDenied:          "the key may not do that; it needs to get, put and delete objects and to list the bucket",
	minio.InvalidAccessKeyID:    "the object store does not know the key in AWS_ACCESS_KEY_ID",
	minio.SignatureDoesNotMatch: "the key in AWS_SECRET_ACCESS_KEY is wrong",
	minio.NotImplemented:        "the object store lacks this operation; writing needs If-None-Match",
}

// missingError is the error for an object that does not exist.
type missingError struct{ err error }

func (e *missingError) Error() string { return e.err.Error() }
func (e *missingError) Unwrap() error { return fs.ErrNotExist }
