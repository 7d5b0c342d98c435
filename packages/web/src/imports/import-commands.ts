// Commands of the palette that add requests from files.

import { routeOf } from "../routes/route.ts"
import { commandEntry, type Entry } from "../search/entries.ts"
import { importKinds, importTitles, showImport } from "./import-state.ts"

export const importCommands = (): readonly Entry[] =>
  importKinds.map((kind) =>
    commandEntry({
      id: `import ${kind}`,
      name: importTitles[kind],
      route: routeOf(window.location.hash),
      action: () => showImport(kind),
    }),
  )
