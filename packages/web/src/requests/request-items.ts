// The menu of a saved request, and the dialog that it opened.

import { create } from "zustand"
import type { MenuItem } from "../ui/menu.tsx"
import type { RequestName } from "../forms/request/request-names.ts"

interface RequestDialog {
  readonly action: "duplicate" | "rename" | "delete"
  readonly api: string
  readonly name: RequestName
}

export const useRequestDialog = create<{ readonly shown: RequestDialog | undefined }>(() => ({
  shown: undefined,
}))

const actions = [
  ["rename", "Rename…"],
  ["duplicate", "Duplicate…"],
  ["delete", "Delete…"],
] as const

export const requestItems = (api: string, { resource, request }: RequestName): readonly MenuItem[] =>
  actions.map(([action, label]) => ({
    label,
    does: () => useRequestDialog.setState({ shown: { action, api, name: { resource, request } } }),
    isDanger: action === "delete",
  }))
