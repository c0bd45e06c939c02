package font

import ("testing";"fmt")

func TestDraft(t *testing.T) {
	g := Glyphs("AVATAR 1111 0000 Ünïcode", 20, 0)
	fmt.Println(len(g), Width("1111",10,0), Width("0000",10,0), Width("1111",10,1), g[1].X, len(g[1].Outline.Ops), g[1].ID)
}
