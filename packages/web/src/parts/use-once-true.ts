// Whether something has been so before.

import { useRef } from "react"

/** True from the first time on that it is, for as long as it is about the same. */
export function useOnceTrue(isNow: boolean, about: string): boolean {
  const seen = useRef<string>(undefined)
  if (isNow) seen.current = about
  return seen.current === about
}
