package source

// plainOffices are the rows of the kind "files".
var plainOffices = []Office{}
