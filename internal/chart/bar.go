package chart

func (f *frame) bars() {}
