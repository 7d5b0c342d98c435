// Decides which entries of a session a changed file affects. In doubt, it affects them.

import {
  getOrCreate,
  hasResponse,
  PROJECT_FILE,
  touchedApis,
  walkBlocks,
  type Project,
} from "@callsheet/format"
import type { SuiteEntry } from "@callsheet/language"
import type { ReadSession } from "../session/read-workflows.ts"

/** Files that runs read outside the directories of their workflows and APIs, by path from the root. */
export interface OtherFiles {
  /** The files that the scripts of each workflow import. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>
  /** The files that the OpenAPI document of each API refers to. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>
  /** The file of `--data`. */
  readonly data: string | undefined
}

type UsesFile = (file: string) => boolean

/** Returns the names of the main entries that read one of the changed files, by path from the root. */
export function affectedEntries(
  { project, workflows, schedule }: ReadSession,
  changed: Iterable<string>,
  other: OtherFiles,
): readonly string[] {
  const checks = new Map<string, UsesFile>()
  const workflowUses = (workflow: string): UsesFile =>
    getOrCreate(checks, workflow, () => createCheck(project, workflow, other))
  const entryUses = ({ workflow, data, finally: own }: SuiteEntry, file: string): boolean =>
    data === file || workflowUses(workflow)(file) || own.some((entry) => entryUses(entry, file))
  const files = [...changed]
  const isForAll = files.some(
    (file) =>
      file === PROJECT_FILE ||
      file === other.data ||
      [...(schedule?.before ?? []), ...(schedule?.finally ?? [])].some((entry) => entryUses(entry, file)),
  )
  if (schedule === undefined)
    return workflows.filter((workflow) => isForAll || files.some(workflowUses(workflow)))
  return schedule.main
    .filter((entry) => isForAll || files.some((file) => entryUses(entry, file)))
    .map(({ name }) => name)
}

const SCRIPTS = "apis/workflow/scripts/"

/** Returns whether a file is a TypeScript configuration, which scripts may take their path aliases from. */
const isCompilerConfig = (file: string): boolean => /(?:^|\/)tsconfig[^/]*\.json$/.test(file)

function createCheck(project: Project, workflow: string, { imports, parts }: OtherFiles): UsesFile {
  const blocks = project.workflows.get(workflow)?.workflow?.blocks ?? []
  const apis = touchedApis(blocks)
  const hasScripts = (project.scriptNames.get(workflow) ?? []).length > 0
  const requests = [...walkBlocks(blocks)].flatMap(({ block }) => (hasResponse(block) ? [block.request] : []))
  /** `path` is the path below `requests/`. Names with placeholders may be any. */
  const usesRequest = (api: string, path: string): boolean =>
    requests.some(
      ({ api: own, resource = "{{", instance }) =>
        own === api &&
        instance !== undefined &&
        (`${resource}${instance}`.includes("{{")
          ? resource !== "{{" || instance.includes("{{") || path.endsWith(`/${instance}.json`)
          : path === `${resource}/${instance}.json`),
    )
  const apiUses = (api: string, file: string): boolean => {
    const folder = `apis/${api}/`
    const saved = `${folder}requests/`
    if (file.startsWith(saved)) return usesRequest(api, file.slice(saved.length))
    return file.startsWith(folder) || parts.get(api)?.has(file) === true
  }
  return (file) =>
    file === `apis/workflow/${workflow}.json` ||
    file.startsWith(`${SCRIPTS}${workflow}/`) ||
    (hasScripts && (imports.get(workflow)?.has(file) === true || isCompilerConfig(file))) ||
    apis.some((api) => apiUses(api, file))
}
