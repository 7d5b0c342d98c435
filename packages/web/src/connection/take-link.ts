// The secret of the link that `callsheet app` prints: read from the address once, and gone from it at once.

const prefix = "#link="

/** The secret behind `#link=`, which neither the address nor the history holds afterwards. */
export function takeLink(): string | undefined {
  const { hash, pathname } = window.location
  if (!hash.startsWith(prefix)) return undefined
  window.history.replaceState(null, "", `${pathname}#/`)
  return hash.slice(prefix.length)
}
