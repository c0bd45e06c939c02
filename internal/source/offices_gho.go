package source

// ghoOffices are the rows of the kind "gho".
var ghoOffices = []Office{}
