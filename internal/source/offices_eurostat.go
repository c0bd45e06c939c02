package source

// eurostatOffices are the rows of the kind "eurostat".
var eurostatOffices = []Office{}
