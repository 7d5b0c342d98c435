// Parts of the output that may differ between runs.

/** Starts the name of a sink that differs between runs: process ids, ports, times. Its text is searched, but not compared. */
export const notCompared = "(not compared) "
