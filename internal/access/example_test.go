package access_test

import (
	"context"
	"fmt"
	"net/netip"
	"os"

	"almanac/internal/access"
)

// An account has keys. Each request is counted until the daily limit is reached.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "almanac-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	a, err := access.Open(ctx, access.Options{Dir: dir, Limits: access.Limits{Anonymous: 3, Essential: 2, Pro: access.Unlimited}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()

	key, err := a.CreateKey(ctx, access.KeyRequest{Account: "newsroom", Tier: "essential"})
	if err != nil {
		fmt.Println(err)
		return
	}
	caller, err := a.Verify(key.Secret, netip.Addr{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		ticket, err := a.Admit(caller)
		fmt.Println(ticket.Admitted, err)
	}
	_, err = a.Verify("alm_made_up", netip.Addr{})
	fmt.Println(err)
	// Output:
	// true <nil>
	// true <nil>
	// false <nil>
	// invalid key
}
