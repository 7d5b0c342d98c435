// Defers a slow value until after the paint, so that no key press waits for it.

import { useEffect, useState } from "react"

/** Returns the value at the last paint. At first, the value itself. */
export function useBehindPaint<T>(value: T): T {
  const [painted, setPainted] = useState(() => value)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(() => value), 0)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value])
  return painted
}
