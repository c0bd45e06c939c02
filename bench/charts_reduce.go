package main

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// reduce gives a picture a palette of 256 colours at most, by median cut: the
// colours that occur are split, again and again, at the middle of the channel in
// which the widest lot differs most, and each lot becomes its mean.
func reduce(picture image.Image) *image.Paletted {
	bounds := picture.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	lots := cut(count)
	entry := make(map[color.RGBA]uint8, len(count))
	var palette color.Palette
	for i, l := range lots {
		palette = append(palette, l.mean())
		for _, s := range l {
			entry[s.RGBA] = uint8(i)
		}
	}
	out := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			out.SetColorIndex(x, y, entry[at(x, y)])
		}
	}
	return out
}

// shade is a colour and how often it occurs.
type shade struct {
	color.RGBA
	count int
}

func (s shade) channel(i int) int {
	return int([...]uint8{s.R, s.G, s.B, s.A}[i])
}

type lot []shade

// cut splits the colours that occur into lots. Those that are most of the picture
// stand alone, so that grounds and fills keep their colour exactly.
func cut(count map[color.RGBA]int) []lot {
	const most, exact = 256, 48
	var all lot
	for c, n := range count {
		all = append(all, shade{c, n})
	}
	slices.SortFunc(all, func(a, b shade) int {
		return cmp.Or(b.count-a.count, a.channel(0)-b.channel(0), a.channel(1)-b.channel(1), a.channel(2)-b.channel(2), a.channel(3)-b.channel(3))
	})
	alone := min(len(all), exact)
	if len(all) <= most {
		alone = len(all)
	}
	var lots []lot
	for i := range alone {
		lots = append(lots, all[i:i+1])
	}
	if alone < len(all) {
		lots = append(lots, all[alone:])
	}
	for len(lots) < most {
		widest, channel := -1, 0
		span := 0
		for i, l := range lots {
			if c, s := l.spread(); s > span {
				widest, channel, span = i, c, s
			}
		}
		if widest < 0 {
			break
		}
		low, high := lots[widest].halves(channel)
		lots[widest] = low
		lots = append(lots, high)
	}
	return lots
}

// spread is the channel in which a lot differs most, and how much.
func (l lot) spread() (channel, span int) {
	for c := range 4 {
		low, high := 255, 0
		for _, s := range l {
			low, high = min(low, s.channel(c)), max(high, s.channel(c))
		}
		if high-low > span {
			channel, span = c, high-low
		}
	}
	return channel, span
}

// halves splits a lot at the middle of a channel's span.
func (l lot) halves(channel int) (low, high lot) {
	slices.SortStableFunc(l, func(a, b shade) int { return a.channel(channel) - b.channel(channel) })
	middle := (l[0].channel(channel) + l[len(l)-1].channel(channel)) / 2
	i := 1
	for i < len(l)-1 && l[i].channel(channel) <= middle {
		i++
	}
	return l[:i:i], l[i:]
}

// mean is the mean colour of a lot, by how often each occurs.
func (l lot) mean() color.RGBA {
	var sum [4]int
	total := 0
	for _, s := range l {
		for c := range sum {
			sum[c] += s.channel(c) * s.count
		}
		total += s.count
	}
	of := func(c int) uint8 { return uint8((sum[c] + total/2) / total) }
	return color.RGBA{R: of(0), G: of(1), B: of(2), A: of(3)}
}
