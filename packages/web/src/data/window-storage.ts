// Keeps window state across a reload. If the browser provides no storage, the state is lost on reload.

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
