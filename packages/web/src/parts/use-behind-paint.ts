// A value for what takes a while to work out: it follows when the page is painted, so that no key waits for it.

import { useEffect, useState } from "react"

/** The value as it was painted last; at first the value itself. */
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
