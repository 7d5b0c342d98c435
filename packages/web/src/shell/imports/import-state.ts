// The open dialog that adds requests from files.

import { create } from "zustand"
import { routeOf } from "../../routes/route.ts"
import { commandEntry, type Entry } from "../search/entries.ts"

/** `document`: adds an API by its OpenAPI document. `files`: imports requests of other tools. */
export const importKinds = ["document", "files"] as const
export type ImportKind = (typeof importKinds)[number]

export const importTitles: { readonly [K in ImportKind]: string } = {
  document: "Add an OpenAPI document",
  files: "Import requests",
}

export const useImport = create<{ readonly shown: ImportKind | undefined }>(() => ({ shown: undefined }))

export const showImport = (shown: ImportKind | undefined): void => useImport.setState({ shown })

/** Commands of the palette that add requests from files. */
export const importCommands = (): readonly Entry[] =>
  importKinds.map((kind) =>
    commandEntry({
      id: `import ${kind}`,
      name: importTitles[kind],
      route: routeOf(window.location.hash),
      action: () => showImport(kind),
    }),
  )
