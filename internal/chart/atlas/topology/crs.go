package topology

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// readCRS returns how coordinates become degrees. GeoJSON of 2008 may name a coordinate
// reference system; that of RFC 7946 is always in degrees.
func readCRS(text json.RawMessage) (toDegrees func(x, y float64) (lon, lat float64), err error) {
	var crs struct{ Properties struct{ Name string } }
	if len(text) > 0 {
		if err := json.Unmarshal(text, &crs); err != nil {
			return nil, fmt.Errorf("invalid member crs: %w", err)
		}
	}
	name := crs.Properties.Name
	switch name[strings.LastIndexByte(name, ':')+1:] {
	case "", "CRS84", "4326", "4258": // ETRS89 differs from WGS 84 by less than a metre
		return func(x, y float64) (float64, float64) { return x, y }, nil
	case "3857", "900913":
		return fromWebMercator, nil
	case "3035":
		return fromEurope, nil
	}
	return nil, fmt.Errorf("the coordinates are in %.60q; want EPSG:4326 (longitude and latitude), EPSG:3857 or EPSG:3035", name)
}

const degree = math.Pi / 180

// fromWebMercator is the inverse of EPSG:3857.
func fromWebMercator(x, y float64) (lon, lat float64) {
	const radius = 6378137.0
	return x / radius / degree, (2*math.Atan(math.Exp(y/radius)) - math.Pi/2) / degree
}

// The ellipsoid GRS 1980 and the parameters of EPSG:3035: Lambert's azimuthal equal-area
// projection about 52° N 10° E.
const (
	semiMajorAxis = 6378137.0
	flattening    = 1 / 298.257222101
	falseEasting  = 4321000.0
	falseNorthing = 3210000.0
)

var (
	eccentricity = math.Sqrt(flattening * (2 - flattening))
	polarQ       = authalicQ(1)
)

// authalicQ returns q of Snyder (1987), equation 3-12, for the sine of a latitude.
func authalicQ(sin float64) float64 {
	e := eccentricity
	return (1 - e*e) * (sin/(1-e*e*sin*sin) - math.Log((1-e*sin)/(1+e*sin))/(2*e))
}

// fromEurope is the inverse of EPSG:3035: Snyder (1987), equations 24-17 and following.
func fromEurope(x, y float64) (lon, lat float64) {
	sin1, cos1 := math.Sincos(52 * degree)
	beta1 := math.Asin(authalicQ(sin1) / polarQ)
	radius := semiMajorAxis * math.Sqrt(polarQ/2)
	e2 := eccentricity * eccentricity
	d := semiMajorAxis * cos1 / (math.Sqrt(1-e2*sin1*sin1) * radius * math.Cos(beta1))
	x, y = (x-falseEasting)/d, (y-falseNorthing)*d
	rho := math.Hypot(x, y)
	if rho == 0 {
		return 10, 52
	}
	sinC, cosC := math.Sincos(2 * math.Asin(min(rho/(2*radius), 1)))
	sinB1, cosB1 := math.Sincos(beta1)
	beta := math.Asin(min(max(cosC*sinB1+y*sinC*cosB1/rho, -1), 1))
	lon = 10 + math.Atan2(x*sinC, rho*cosB1*cosC-y*sinB1*sinC)/degree
	e4, e6 := e2*e2, e2*e2*e2
	lat = beta + (e2/3+31*e4/180+517*e6/5040)*math.Sin(2*beta) +
		(23*e4/360+251*e6/3780)*math.Sin(4*beta) + 761*e6/45360*math.Sin(6*beta)
	return lon, lat / degree
}
