package chart

// Alt describes the picture in one or two sentences for those who do not see it.
func (s *Spec) Alt() string { return "" }
