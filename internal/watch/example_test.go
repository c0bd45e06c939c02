package watch_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"almanac/internal/database"
	"almanac/internal/watch"
)

// A watch has items, which are the datasets that match it. Each item is due
// again some time after it was fetched.
func Example() {
	ctx := context.Background()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dir, err := os.MkdirTemp("", "almanac-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := watch.Open(ctx, database.Location{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	if _, err := db.Add(ctx, "eurostat:nama_*", 6*time.Hour, now); err != nil {
		fmt.Println(err)
		return
	}
	listed := []watch.Ref{{Office: "eurostat", Text: "eurostat:nama_10_gdp"}, {Office: "eurostat", Text: "eurostat:nama_10_pe"}}
	added, gone, err := db.Expand(ctx, "eurostat:nama_*", listed, now)
	fmt.Println(added, len(gone), err)

	due, err := db.Due(ctx, "eurostat", now)
	fmt.Println(len(due), err)
	fetched := due[0]
	fetched.Checked, fetched.Due = now, now.Add(fetched.Every)
	if err := db.Record(ctx, []watch.Result{{Item: fetched, Answer: watch.Good}}); err != nil {
		fmt.Println(err)
		return
	}
	due, err = db.Due(ctx, "eurostat", now.Add(time.Hour))
	fmt.Println(len(due), due[0].Ref, err)
	// Output:
	// 2 0 <nil>
	// 2 <nil>
	// 1 eurostat:nama_10_pe <nil>
}
