/** Returns the result of `make`, or undefined if it throws. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
