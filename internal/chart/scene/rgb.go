package scene

import "fmt"

// RGB is a colour of the sRGB space. The zero RGB is black. Package colour says
// which ones are used.
type RGB struct{ R, G, B uint8 }

// String writes the colour as #rrggbb.
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
