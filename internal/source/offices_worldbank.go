package source

// worldbankOffices are the rows of the kind "worldbank".
var worldbankOffices = []Office{}
