# Prints data of the service as rsdmx reads them: readsdmx.R ADDRESS AGENCY,FLOW..., ADDRESS is that of
# /sdmx. Data and structure are asked for as rsdmx does for a provider. For each flow a line with the
# number of codes in its structure, one with the names of the columns and one for each row, separated
# by tabs, and an empty line.
suppressMessages(library(rsdmx))
arguments <- commandArgs(trailingOnly = TRUE)
builder <- SDMXREST21RequestBuilder(regUrl = paste0(arguments[1], "/2.1"), repoUrl = paste0(arguments[1], "/2.1"), compliant = TRUE)
addSDMXServiceProvider(SDMXServiceProvider(agencyId = "ALMANAC", name = "Almanac", builder = builder))
for (flow in arguments[-1]) {
  invisible(capture.output(message <- readSDMX(providerId = "ALMANAC", resource = "data", flowRef = flow, dsd = TRUE)))
  lists <- slot(slot(slot(message, "dsd"), "codelists"), "codelists")
  cat(sum(sapply(lists, function(list) length(slot(list, "Code")))), "\n", sep = "")
  data <- as.data.frame(message)
  data[] <- lapply(data, function(column) gsub("[\r\n\t]", " ", column))
  data$obsValue <- sprintf("%.17g", as.numeric(data$obsValue))
  write.table(data, sep = "\t", quote = FALSE, row.names = FALSE, na = "")
  cat("\n")
}
