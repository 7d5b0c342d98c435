// The menu of a suite, and the dialog that it opened.

import { create } from "zustand"
import type { MenuItem } from "../ui/menu.tsx"

interface SuiteDialog {
  readonly kind: "rename" | "duplicate" | "delete"
  readonly suite: string
}

export const useSuiteDialog = create<{ readonly shown: SuiteDialog | undefined }>(() => ({
  shown: undefined,
}))

export const suiteItems = (suite: string): readonly MenuItem[] =>
  (["rename", "duplicate", "delete"] as const).map((kind) => ({
    label: `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}…`,
    isDanger: kind === "delete",
    does: () => useSuiteDialog.setState({ shown: { kind, suite } }),
  }))
