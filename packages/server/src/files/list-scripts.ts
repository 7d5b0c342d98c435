// Answers `files.list`: the scripts of a workflow and what they export, parsed and never run.

import { withScripts } from "@callsheet/engine"
import { scriptPath } from "@callsheet/language"
import { listScriptNames } from "@callsheet/project"
import type { Output } from "../calls/index.ts"
import { withoutOutsidePaths } from "../project/read-parts.ts"
import type { Desk } from "./desk.ts"

/** One that is not well-formed exports nothing. */
export async function listScripts(
  { root, scriptEntry, isRemote }: Desk,
  workflow: string,
): Promise<Output<"files.list">> {
  const names = withoutOutsidePaths(() => listScriptNames(root, workflow))
  const scripts = await withScripts({ root, scriptEntry }, (describe) =>
    Promise.all(
      names.map(async (script) => {
        const description = await describe(scriptPath({ root }, workflow, script))
        return { script, exports: description.ok ? description.exports : [] }
      }),
    ),
  )
  return { scripts, isReadOnly: isRemote() }
}
