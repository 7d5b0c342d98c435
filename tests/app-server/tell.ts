// Prints what an attack suite has tried and how often it succeeded.

/** Prints one line: `tokens: 27 tries: 0 successes`. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
