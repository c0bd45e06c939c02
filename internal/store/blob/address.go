package blob

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
)

// Place is where blobs are in an object store: s3://BUCKET/PREFIX, with the parameters endpoint
// and region, such as s3://statistics/almanac?endpoint=https://s3.example.org&region=eu-1.
type Place struct {
	bucket string
	prefix string // "" or with "/" at its end
	region string
	host   string // of the endpoint
	secure bool   // whether it is reached by HTTPS
}

// amazon is the endpoint of S3 itself.
const amazon = "https://s3.amazonaws.com"

// ParsePlace reads the address of a place. Errors do not repeat what may be a secret.
func ParsePlace(address string) (*Place, error) {
	const right = "use s3://BUCKET/PREFIX, for other services than AWS with ?endpoint=https://HOST and, if they have one, &region=NAME"
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "s3" || u.Host == "" || u.Fragment != "":
		return nil, errors.New("invalid place of blobs; " + right)
	case u.User != nil:
		return nil, errors.New("a place of blobs must not contain a key, because others can see it; state it in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	if err := s3utils.CheckValidBucketName(u.Host); err != nil {
		return nil, fmt.Errorf("invalid name of a bucket %q in the place of blobs: %w", u.Host, err)
	}
	p := &Place{bucket: u.Host}
	if clean := strings.Trim(path.Clean("/"+u.Path), "/"); clean != "" {
		p.prefix = clean + "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("invalid parameters in the place of blobs; " + right)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("unknown parameter %q in the place of blobs; the known ones are endpoint and region; keys belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", name)
		}
	}
	endpoint, err := url.Parse(cmp.Or(query.Get("endpoint"), os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), amazon))
	if err != nil || endpoint.Host == "" || endpoint.User != nil || strings.Trim(endpoint.Path, "/") != "" || endpoint.RawQuery != "" ||
		endpoint.Scheme != "https" && endpoint.Scheme != "http" {
		return nil, errors.New("invalid endpoint in the place of blobs; use https://HOST or http://HOST:PORT, without a path and a key")
	}
	p.host, p.secure = endpoint.Host, endpoint.Scheme == "https"
	p.region = cmp.Or(query.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if p.region == "" && !p.isAmazon() {
		p.region = "us-east-1" // what services without regions expect
	}
	return p, nil
}

func (p *Place) isAmazon() bool { return p.host == "s3.amazonaws.com" }

// String returns the place without parameters.
func (p *Place) String() string { return "s3://" + p.bucket + "/" + strings.TrimSuffix(p.prefix, "/") }

// Endpoint returns the server of the object store, "" for AWS, and whether it is reached by HTTPS.
func (p *Place) Endpoint() (host string, secure bool) {
	if p.isAmazon() {
		return "", true
	}
	return p.host, p.secure
}

// Region returns the region, "" if it is that of the bucket.
func (p *Place) Region() string { return p.region }

// credential finds the key of the object store where the programs of AWS look for it.
func credential() (*credentials.Credentials, error) {
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	isInstance := false // whether the machine or the container says who it is
	for _, name := range []string{"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_EC2_METADATA_SERVICE_ENDPOINT"} {
		isInstance = isInstance || os.Getenv(name) != ""
	}
	if isInstance {
		return credentials.NewChainCredentials(append(providers, &credentials.IAM{})), nil
	}
	chain := credentials.NewChainCredentials(providers)
	if value, err := chain.GetWithContext(nil); err != nil || value.SignerType.IsAnonymous() {
		return nil, errors.New("there is no key for the object store of the blobs; state it in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile in AWS_PROFILE")
	}
	return chain, nil
}
