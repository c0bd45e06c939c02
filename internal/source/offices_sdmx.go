package source

// sdmxOffices are the rows of the kind "sdmx".
var sdmxOffices = []Office{}
