// Writes the types of scripts, where anything of them has changed.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { stringifyJson, type Project } from "@callsheet/format"
import { writeFiles, type FileEdit } from "@callsheet/project"
import { stampOf, STAMP_FILE } from "./freshness.ts"
import { ScriptTypesMaker } from "./make-script-types.ts"
import { inTheWay, packageFiles, sharedFolder, standingOf, typesFolder } from "./script-types-folders.ts"

interface WriteTypesRequest {
  readonly project: Project
  /** Names of workflows that have scripts. */
  readonly workflows: readonly string[]
  /** A time before the project was read. */
  readonly readAt: number
  /** How long to wait for another command that writes. */
  readonly waitMs?: number
}

interface WrittenTypes {
  /** The workflows whose types were made, and those that cannot be read. */
  readonly made: readonly string[]
  readonly unreadable: readonly string[]
  /** The files that were changed, from the root. */
  readonly files: readonly string[]
}

/** Throws `types-in-the-way` before anything is written, and what `writeFiles` throws. */
export async function writeScriptTypes(request: WriteTypesRequest): Promise<WrittenTypes> {
  const { project, workflows, readAt, waitMs } = request
  for (const folder of [sharedFolder, ...workflows.map(typesFolder)])
    if (standingOf(project.root, folder) === "other") throw inTheWay(folder)
  const maker = new ScriptTypesMaker(project)
  const edits: FileEdit[] = folderEdits(sharedFolder, sharedDeclarations())
  const made: string[] = []
  for (const workflow of workflows) {
    const types = await maker.make(workflow)
    if (types === undefined) continue
    made.push(workflow)
    const stamp = stampOf(project, workflow, { files: types.from, readAt })
    const stampText = `${stringifyJson(stamp, { indent: 2 })}\n`
    edits.push(
      ...folderEdits(typesFolder(workflow), [
        ["index.d.ts", types.text],
        [STAMP_FILE, stampText],
      ]),
    )
  }
  const { files } = await writeFiles(
    { root: project.root, title: "write the types of scripts", edits },
    { lock: { waitMs } },
  )
  return { made, unreadable: workflows.filter((workflow) => !made.includes(workflow)), files }
}

const folderEdits = (folder: string, texts: Iterable<readonly [string, string]>): FileEdit[] =>
  [...packageFiles, ...texts].map(([name, text]) => ({ file: `${folder}/${name}`, edit: () => text }))

/** The declarations of the SDK that came with callsheet. */
function sharedDeclarations(): readonly (readonly [string, string])[] {
  const manifest = createRequire(import.meta.url).resolve("@callsheet/sdk/package.json")
  return ["index.d.ts", "paths.d.ts"].map((name) => [
    name,
    readFileSync(join(dirname(manifest), "src", name), "utf8").replaceAll("\r\n", "\n"),
  ])
}
