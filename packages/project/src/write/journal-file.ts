// The name of the journal, apart so that each command can check for it without loading more.

/**
 * Beside `apis/`, and there only while a change is not finished. In the project and not in a temporary folder, because it
 * must outlive a power failure just as the half-changed files do.
 */
export const JOURNAL_FILE = ".callsheet-journal.json"
