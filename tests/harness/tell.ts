// Prints figures of a test, such as the number of attacks and how many succeeded.

/** Prints one line: `tokens: 27 tries: 0 successes`. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
