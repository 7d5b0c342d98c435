// Plans the probes of an API: reads the project and its documents, drafts the workflows, and names each saved request.

import {
  checkSavedRequest,
  checkWorkflow,
  nameKey,
  stringifyJson,
  type Api,
  type InstanceFile,
  type Project,
} from "@callsheet/format"
import {
  draftProbes,
  generatedText,
  probeName,
  probeTexts,
  VALID,
  type GeneratedFile,
  type ProbeDraft,
  type ProbeRow,
  type Skipped,
} from "@callsheet/language"
import { listProbes, type ProbeCase } from "@callsheet/openapi"
import { readProject } from "@callsheet/project"
import { readGeneratingApis, requireChosen } from "@callsheet/server"

/** One request to send: a row of the workflow of its operation. */
export interface Probe extends ProbeCase {
  readonly draft: ProbeDraft
  readonly row: ProbeRow
  readonly instance: InstanceFile
}

export interface ProbePlan {
  readonly project: Project
  readonly api: Api
  /** The valid requests. An operation that refuses its own one isn't probed. */
  readonly bases: readonly Probe[]
  /** The probes, the first ones of all operations first. */
  readonly probes: readonly Probe[]
  /** The operations that have more probes than are sent to one operation. */
  readonly cut: readonly string[]
  readonly skipped: readonly Skipped[]
}

/** Throws `api-unknown`, `operation-unknown` and the problems of documents. */
export async function planProbes(
  root: string,
  { api: name, operations }: { readonly api: string; readonly operations: readonly string[] },
): Promise<ProbePlan> {
  const project = readProject(root, { workflows: "all", apis: "all" })
  const apis = await readGeneratingApis(project, name)
  const api = project.apis.get(name)
  if (api === undefined) throw new Error("an API that was read is missing")
  requireChosen(apis, { api: name, operations })
  const make = (workflowNames: readonly string[]) =>
    draftProbes({ apis, api: name, operations, workflowNames })
  const first = make([])
  const foreign = foreignNames(
    project,
    first.probes.flatMap(({ files }) => files),
  )
  const { probes: drafts, skipped } = foreign.length === 0 ? first : make(foreign)
  const names = new InstanceNames(api)
  const bases = drafts.map((draft) => probeOf(draft, names, validCase(draft)))
  const cut: string[] = []
  const all = drafts.map((draft) => {
    const listed = listProbes(draft.operation, draft.base)
    if (listed.isCut) cut.push(draft.operation.name)
    return listed.probes.map((one) => probeOf(draft, names, one))
  })
  return { project, api, bases, probes: interleaved(all), cut, skipped }
}

/** Returns the names of the workflows that a person wrote: they have other inputs than those of a probe. */
function foreignNames(project: Project, files: readonly GeneratedFile[]): readonly string[] {
  const own = new Map([...project.workflows.values()].map((one) => [nameKey(one.file), one]))
  return files.flatMap((file) => {
    const found = own.get(nameKey(file.path))
    if (found === undefined || !("value" in file)) return []
    const made = workflowOf(file).workflow?.inputs ?? {}
    const inputsOf = (inputs: object): string => Object.keys(inputs).sort().join(" ")
    return inputsOf(found.workflow?.inputs ?? {}) === inputsOf(made) ? [] : [found.name]
  })
}

/** Reads a drafted workflow as if it were a file. */
export function workflowOf(file: GeneratedFile) {
  const source = { file: file.path, text: generatedText(file) }
  const name = file.path.slice("apis/workflow/".length, -".json".length)
  return { name, ...source, ...checkWorkflow(source) }
}

const validCase = ({ base }: ProbeDraft): ProbeCase => ({
  parameter: "request",
  value: null,
  rule: VALID,
  isValid: true,
  request: base,
})

function probeOf(draft: ProbeDraft, names: InstanceNames, probe: ProbeCase): Probe {
  const { rule, parameter, isValid, request } = probe
  const text = `${stringifyJson(draft.saved(request, probeTexts.saved(probe)), { indent: 2 })}\n`
  const { name } = draft.operation
  const wanted =
    rule === VALID ? probeName(name, VALID) : probeName(name, parameter, rule, ...(isValid ? ["valid"] : []))
  const instance = names.add(draft.resource, wanted, text)
  return {
    ...probe,
    draft,
    instance,
    row: { request: instance.name, above: isValid ? 99 : 399, below: 500 },
  }
}

/** Names saved requests. A name is free if no file has it, or if its file has the same text. */
class InstanceNames {
  readonly #api: Api
  readonly #taken = new Set<string>()

  constructor(api: Api) {
    this.#api = api
  }

  add(resource: string, wanted: string, text: string): InstanceFile {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}-${count}`
      const key = `${resource}/${name}`
      const found = this.#api.instances.get(key)
      if (this.#taken.has(key) || (found !== undefined && found.text !== text)) continue
      this.#taken.add(key)
      const file = `apis/${this.#api.name}/requests/${key}.json`
      return { file, text, resource, name, ...checkSavedRequest({ file, text }) }
    }
  }
}

/** Returns the first ones of all lists, then the second ones, and so on. */
function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}
