// Package secretfile keeps random secrets in files of their own, apart from the databases whose
// contents they protect.
package secretfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Length is the number of bytes of a secret.
const Length = 32

// Read reads the secret in a file. If the file is missing, Read creates it with a new secret if
// mayCreate is set; otherwise the error is [fs.ErrNotExist].
func Read(path string, mayCreate bool) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s must be a regular file of %d bytes", path, Length)
	}
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && mayCreate {
		secret, err = create(path)
	}
	if err != nil {
		return nil, err
	}
	if len(secret) != Length {
		return nil, fmt.Errorf("%s must have %d bytes, not %d; it is damaged or another file; restore it from a backup", path, Length, len(secret))
	}
	return secret, nil
}

// CheckDatabase returns an error if the secret exists, but its database is missing or empty: who has
// lost a database must not get a new one unnoticed. It is called before the database is opened, which
// creates it, because the secret is created after the database.
func CheckDatabase(secret, database string) error {
	if _, err := os.Stat(secret); err != nil {
		return nil // Read reports what is wrong
	}
	if info, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return fmt.Errorf("%s is missing or empty, but %s is there; restore the database from a backup, or remove both files to begin without what it had", database, filepath.Base(secret))
	}
	return nil // opening the database reports what is wrong
}

// create writes a new secret, or reads the one that another process has just written: unlike a
// rename, a link replaces nothing.
func create(path string) (secret []byte, err error) {
	secret = make([]byte, Length)
	_, _ = rand.Read(secret) // never fails
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(secret) // os.CreateTemp gives it mode 0600
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(file.Name(), path); errors.Is(err, fs.ErrExist) {
		return os.ReadFile(path)
	} else if err != nil {
		return nil, err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	return secret, errors.Join(dir.Sync(), dir.Close()) // the file's name is durable
}
