// Decides which entries of a session a changed file affects. In doubt, it affects them.

import {
  BASELINE_FILE,
  getOrCreate,
  hasResponse,
  memo,
  PROJECT_FILE,
  touchedApis,
  walkBlocks,
  type Api,
  type Project,
} from "@callsheet/format"
import { bodyFilesOf, filesOfEntry, type SuiteEntry } from "@callsheet/language"
import type { ReadSession } from "../session/read-workflows.ts"

/** Files that runs read outside the directories of their workflows and APIs, by path from the root. */
export interface OtherFiles {
  /** The files that the scripts of each workflow import. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>
  /** The files that the OpenAPI document of each API refers to. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>
  /** The file of `--data`. */
  readonly data: string | undefined
  /** Returns whether the changes of a document's files concern a workflow. Without this function, they always do. */
  readonly concerns?: (workflow: string, api: string) => boolean
  /** Returns whether a file affects every workflow. By default, `callsheet.json` does. */
  readonly isForAll?: (file: string) => boolean
  /** Returns whether a workflow reaches a changed entry of the baseline. Without this function, it does. */
  readonly reachesBaseline?: (workflow: string) => boolean
  /** Returns whether a workflow depends on a file in another way. */
  readonly uses?: (workflow: string, file: string) => boolean
}

/** Returns whether a workflow uses a file. Mocks answer from the whole document of their API. */
type UsesFile = (file: string, mocks?: SuiteEntry["mocks"]) => boolean

/** Returns the main entries by name, with the changed files that they read, by path from the root. */
export function affectedEntries(
  { project, workflows, schedule }: ReadSession,
  changed: Iterable<string>,
  other: OtherFiles,
): ReadonlyMap<string, readonly string[]> {
  const checks = new Map<string, UsesFile>()
  const workflowUses = (workflow: string): UsesFile =>
    getOrCreate(checks, workflow, () => createCheck(project, workflow, other))
  const entryUses = (entry: SuiteEntry, file: string): boolean =>
    filesOfEntry(entry).includes(file) ||
    workflowUses(entry.workflow)(file, entry.mocks) ||
    entry.finally.some((own) => entryUses(own, file))
  const isForAll = (file: string): boolean =>
    (other.isForAll?.(file) ?? file === PROJECT_FILE) ||
    file === other.data ||
    [...(schedule?.before ?? []), ...(schedule?.finally ?? [])].some((entry) => entryUses(entry, file))
  const files = [...changed].map((file) => ({ file, isForAll: isForAll(file) }))
  const affected = <T>(one: T, name: string, uses: (one: T, file: string) => boolean) => {
    const read = files.filter(({ file, isForAll }) => isForAll || uses(one, file))
    return read.length === 0 ? [] : [[name, read.map(({ file }) => file)] as const]
  }
  return new Map(
    schedule === undefined
      ? workflows.flatMap((name) => affected(name, name, (workflow, file) => workflowUses(workflow)(file)))
      : schedule.main.flatMap((entry) => affected(entry, entry.name, entryUses)),
  )
}

const SCRIPTS = "apis/workflow/scripts/"

/** Returns whether scripts may take path aliases from a file. */
export const isCompilerConfig = (file: string): boolean =>
  /(?:^|\/)(?:tsconfig[^/]*|package)\.json$/.test(file)

const bodyFilesOfApi = memo(({ instances }: Api) => bodyFilesOf(instances.values()))

function createCheck(project: Project, workflow: string, other: OtherFiles): UsesFile {
  const { imports, parts, concerns = () => true } = other
  const own = project.workflows.get(workflow)
  const blocks = own?.workflow?.blocks ?? []
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
  const apiUses = (api: string, file: string, isMocked: boolean): boolean => {
    const folder = `apis/${api}/`
    const saved = `${folder}requests/`
    if (file.startsWith(saved)) return usesRequest(api, file.slice(saved.length))
    if (file.startsWith(`${folder}environments/`)) return true
    return (
      (file.startsWith(folder) || parts.get(api)?.has(file) === true) && (isMocked || concerns(workflow, api))
    )
  }
  const senders = [
    ...(own === undefined ? [] : [bodyFilesOf([own])]),
    ...apis.flatMap((name) => project.apis.get(name) ?? []).map((api) => bodyFilesOfApi(api)),
  ]
  const validates = own?.workflow?.validateContracts === true
  return (file, mocks = []) =>
    (validates && file === BASELINE_FILE && (other.reachesBaseline?.(workflow) ?? true)) ||
    other.uses?.(workflow, file) === true ||
    senders.some((maySend) => maySend(file)) ||
    file === `apis/workflow/${workflow}.json` ||
    file.startsWith(`${SCRIPTS}${workflow}/`) ||
    (hasScripts && (imports.get(workflow)?.has(file) === true || isCompilerConfig(file))) ||
    apis.some((api) =>
      apiUses(
        api,
        file,
        mocks.some((mock) => mock.api === api),
      ),
    )
}
