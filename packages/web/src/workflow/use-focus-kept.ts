// A form goes with its block, as undo takes one back: the focus that stood in it goes on to the outline, not to nothing.

import { useEffect, useRef } from "react"
import { focusOutline } from "./outline-dom.ts"

interface FocusKeeper {
  /** To be told where the focus goes in the editor. */
  readonly onFocus: (event: { readonly target: Element }) => void
}

/** `shown` is another whenever another form is. */
export function useFocusKept(shown: string | undefined): FocusKeeper {
  const last = useRef<Element>(undefined)
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body) focusOutline()
  }, [shown])
  return { onFocus: ({ target }) => void (last.current = target) }
}
