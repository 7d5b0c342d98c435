// What a window keeps over a reload. A browser may give it none: then it is kept until the reload.

/** Undefined where nothing is kept under the name. */
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
    // It is shown as if the page were new the next time.
  }
}
