# Prints data of the service as rsdmx reads them: readsdmx.R ADDRESS FLOW..., ADDRESS is that of
# /sdmx. For each flow a line with the number of codes in its structure, one with the names of the
# columns and one for each row, separated by tabs, and an empty line.
suppressMessages(library(rsdmx))
arguments <- commandArgs(trailingOnly = TRUE)
for (flow in arguments[-1]) {
  structure <- readSDMX(paste0(arguments[1], "/2.1/dataflow/all/", flow, "?references=all"))
  lists <- slot(slot(structure, "codelists"), "codelists")
  cat(sum(sapply(lists, function(list) length(slot(list, "Code")))), "\n", sep = "")
  data <- as.data.frame(readSDMX(paste0(arguments[1], "/2.1/data/", flow)))
  data$obsValue <- sprintf("%.17g", as.numeric(data$obsValue))
  write.table(data, sep = "\t", quote = FALSE, row.names = FALSE, na = "")
  cat("\n")
}
