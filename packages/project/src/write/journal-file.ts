// The name of the journal, in its own module so that each command can check for it without loading more.

/**
 * Next to `apis/`, and only while a change is unfinished. It is in the project and not in a temporary directory, because it
 * must survive a power failure like the half-changed files.
 */
export const JOURNAL_FILE = ".callsheet-journal.json"
