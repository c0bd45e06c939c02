package source

// jsonstatOffices are the rows of the kind "jsonstat".
var jsonstatOffices = []Office{}
