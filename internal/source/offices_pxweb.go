package source

// pxwebOffices are the rows of the kind "pxweb".
var pxwebOffices = []Office{}
