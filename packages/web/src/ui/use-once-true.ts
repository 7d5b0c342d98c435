// Remembers that a condition was true.

import { useRef } from "react"

/** Returns true from the first time that the condition is true, as long as `about` is the same. */
export function useOnceTrue(isNow: boolean, about: string): boolean {
  const seen = useRef<string>(undefined)
  if (isNow) seen.current = about
  return seen.current === about
}
