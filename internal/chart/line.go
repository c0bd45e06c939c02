package chart

func (f *frame) lines() {}
