# Prints tables of the service as R reads them: tables.R ADDRESS...
# In the form of tables.py.

quote_json <- function(text) {
  for (pair in list(c("\\", "\\\\"), c("\"", "\\\""), c("\n", "\\n"), c("\r", "\\r"), c("\t", "\\t"))) {
    text <- gsub(pair[1], pair[2], text, fixed = TRUE)
  }
  paste0("\"", text, "\"")
}

for (address in commandArgs(trailingOnly = TRUE)) {
  # Codes are texts: as numbers, 01 would be 1, and NA is Namibia.
  table <- read.csv(address, colClasses = "character", na.strings = character(), check.names = FALSE, encoding = "UTF-8")
  value <- suppressWarnings(as.numeric(table$value))
  cells <- lapply(table, quote_json)
  cells$value <- ifelse(is.na(value), "null", sprintf("%.17g", value))
  cat("[", paste(quote_json(names(table)), collapse = ","), "]\n", sep = "")
  if (nrow(table) > 0) {
    cat(sprintf("[%s]", do.call(paste, c(cells, sep = ","))), sep = "\n")
  }
  cat("\n")
}
