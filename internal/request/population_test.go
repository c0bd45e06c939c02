package request

import "testing"

// Codes of units that offices use for rates, shares and indices, and for amounts.
func TestRatioCodes(t *testing.T) {
	for code, want := range map[string]bool{
		"PC_GDP": true, "PC": true, "PCH_PRE": true, "CLV_PCH_PRE": true, "RCH_A": true, "I15": true, "CLV_I10": true, "PD15_EUR": true, "PT_B1GQ": true, "EUR_HAB": true, "PER_KM2": true, "IX": true,
		"CP_MEUR": false, "THS_PER": false, "NR": false, "PS": false, "USD": false, "CLV10_MEUR": false, "MIO_EUR": false, "T": false, "PCS": false,
	} {
		if got := ratioCode.MatchString(code); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
