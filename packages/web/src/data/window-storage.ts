// Keeps window state across reloads. If the browser provides no storage, a reload loses the state.

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
    // Without storage, the next load starts fresh.
  }
}
