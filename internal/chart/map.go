package chart

func (f *frame) worldMap() {}
