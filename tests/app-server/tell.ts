// What a suite of attacks has tried and what came of it, for whoever reads the output of the tests.

/** Prints one line: `tokens: 27 tries: 0 successes`. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
