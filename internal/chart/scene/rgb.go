package scene

import "fmt"

// RGB is a colour in sRGB. The zero RGB is black. Package colour defines the palette.
type RGB struct{ R, G, B uint8 }

// String formats the colour as #rrggbb.
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
