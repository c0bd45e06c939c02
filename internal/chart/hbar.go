package chart

func (f *frame) horizontalBars() {}
