// Keeps the state of a window across reloads, if the browser gives the page storage.

export function readKept(name: string): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

export function keep(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value)
  } catch {
    // Without storage, a reload loses the state.
  }
}
