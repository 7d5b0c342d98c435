// A module of its own, because only runs that read a data file load it.

export { openRows } from "@callsheet/project"
