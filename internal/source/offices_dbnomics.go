package source

// dbnomicsOffices are the rows of the kind "dbnomics".
var dbnomicsOffices = []Office{}
