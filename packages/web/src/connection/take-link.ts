// Reads the secret of the link that `callsheet app` prints, and removes it from the address immediately.

const prefix = "#link="

/** Returns the secret after `#link=` and removes it from the address and the history. */
export function takeLink(): string | undefined {
  const { hash, pathname } = window.location
  if (!hash.startsWith(prefix)) return undefined
  window.history.replaceState(null, "", `${pathname}#/`)
  return hash.slice(prefix.length)
}
