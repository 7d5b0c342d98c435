// Commands of the palette for environments.

import type { ProjectView } from "@callsheet/server/calls"
import { commandEntry, type Entry } from "../shell/search/entries.ts"
import { visibleText } from "../ui/visible-text.ts"
import { showEnvironmentDialog } from "./dialog-state.ts"

const commands = [
  { kind: "new-variable", name: "New variable" },
  { kind: "new-environment", name: "New environment" },
] as const

export const environmentCommands = ({ apis }: ProjectView): readonly Entry[] =>
  apis.flatMap(({ name: api }) =>
    commands.map(({ kind, name }) =>
      commandEntry({
        id: `${kind} ${api}`,
        name: `${name} in ${visibleText(api)}`,
        route: { kind: "environments", api },
        action: () => showEnvironmentDialog({ kind, api }),
      }),
    ),
  )
