// Keeps the state of a window across reloads, and choices of the user for all windows, if the browser gives the page
// storage.

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

/** What all windows keep until the user changes it. */
export const lasting = {
  getItem: (name: string): string | null => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  },
  setItem: (name: string, value: string): void => {
    try {
      localStorage.setItem(name, value)
    } catch {
      // Without storage, a reload restores the default.
    }
  },
}
