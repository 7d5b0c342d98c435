// Reads the secret in the link of `callsheet app`, and removes it from the address at once.

const prefix = "#link="

/** Returns the secret after `#link=`. Removes it from the address and the history. */
export function takeLink(): string | undefined {
  const { hash, pathname } = window.location
  if (!hash.startsWith(prefix)) return undefined
  window.history.replaceState(null, "", `${pathname}#/`)
  return hash.slice(prefix.length)
}
