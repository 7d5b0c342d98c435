// The menu of a suite, and the dialog that it opened.

import { create } from "zustand"
import type { MenuItem } from "../../ui/menu.tsx"

type SuiteDialog =
  | { readonly kind: "edit" | "rename" | "duplicate" | "delete"; readonly suite: string }
  /** The new suite starts with these workflows. */
  | { readonly kind: "new"; readonly workflows: readonly string[] }

export const useSuiteDialog = create<{ readonly shown: SuiteDialog | undefined }>(() => ({
  shown: undefined,
}))

export const suiteItems = (suite: string): readonly MenuItem[] =>
  (["edit", "rename", "duplicate", "delete"] as const).map((kind) => ({
    label: `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}…`,
    isDanger: kind === "delete",
    does: () => useSuiteDialog.setState({ shown: { kind, suite } }),
  }))

/** Opens the form of a new suite of these workflows. */
export const createSuite = (workflows: readonly string[] = []): void =>
  useSuiteDialog.setState({ shown: { kind: "new", workflows } })
