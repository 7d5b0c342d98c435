// Loaded only by runs that read a data file.

export { openRows } from "@callsheet/project"
