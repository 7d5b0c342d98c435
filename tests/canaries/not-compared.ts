// What may differ from run to run.

/** Begins the name of a sink that is no run's twice: process ids, ports, times. Its text is searched, and not compared. */
export const notCompared = "(not compared) "
