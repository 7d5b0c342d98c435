// The open dialog that adds requests from files.

import { create } from "zustand"
import { routeOf } from "../../routes/route.ts"
import { commandEntry, type Entry } from "../../search/entries.ts"

/** `document`: adds an API by its OpenAPI document. `files`: imports requests of other tools. */
export const importKinds = ["document", "files"] as const
export type ImportKind = (typeof importKinds)[number]

export const importTitles: { readonly [K in ImportKind]: string } = {
  document: "Add an OpenAPI document",
  files: "Import requests",
}

/** What the dialog previews at once: the address of a document, or pasted text. */
export interface ImportStart {
  readonly address?: string
  readonly pasted?: string
}

interface ShownImport {
  readonly shown: ImportKind | undefined
  readonly start?: ImportStart | undefined
}

export const useImport = create<ShownImport>(() => ({ shown: undefined }))

export const showImport = (shown: ImportKind | undefined, start?: ImportStart): void =>
  useImport.setState({ shown, start })

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
