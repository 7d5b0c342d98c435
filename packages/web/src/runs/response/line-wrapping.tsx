// Whether long lines of bodies wrap, and the tool that switches it. The browser remembers it.

import { TextWrap } from "lucide-react"
import { create } from "zustand"
import { lasting } from "../../connection/window-storage.ts"
import type { Tool } from "../../ui/toolbar.tsx"

/** In longer text, wrapping would block the page. In UTF-16 code units. */
const MAX_WRAPPED = 300_000

const key = "callsheet wrap lines"

const useWrapping = create<{ readonly isOn: boolean }>(() => ({ isOn: lasting.getItem(key) !== "no" }))

function change(isOn: boolean): void {
  useWrapping.setState({ isOn })
  lasting.setItem(key, isOn ? "yes" : "no")
}

/** Returns whether the text wraps, and its tool. A long text has none. */
export function useLineWrapping(text: string): { readonly wraps: boolean; readonly tool: readonly Tool[] } {
  const { isOn } = useWrapping()
  if (text.length > MAX_WRAPPED) return { wraps: false, tool: [] }
  const tool: Tool = {
    label: "Wrap lines",
    icon: <TextWrap aria-hidden="true" />,
    isPressed: isOn,
    does: () => change(!isOn),
  }
  return { wraps: isOn, tool: [tool] }
}
