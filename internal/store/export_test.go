package store

// NotKept is the error of KeepChart for an error of writing.
var NotKept = notKept
