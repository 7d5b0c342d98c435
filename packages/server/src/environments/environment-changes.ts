// Changes of one environment from the page: values, settings, its name, and whether it is there at all.

import { CallsheetError, suggest, type Environment } from "@callsheet/format"
import {
  createEnvironment,
  deleteEnvironment,
  renameEnvironment,
  writeEnvironment,
  writeSettings,
  type SeenEnvironment,
  type WriteOptions,
} from "@callsheet/project"
import type {
  CellValue,
  ChosenEnvironment,
  EnvironmentRename,
  EnvironmentSettings,
  EnvironmentWrite,
  EnvironmentWritten,
  NewEnvironment,
  Output,
} from "../calls/index.ts"
import { CallRefused } from "../call-refused.ts"
import { seenOf } from "./environment-etags.ts"
import { readAllEnvironments, type ReadEnvironments } from "./read-all-environments.ts"
import { environmentChanged, refuseChange } from "./refuse-change.ts"

export interface EnvironmentChangesOptions {
  /** Absolute path of the project. */
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  /** Files were changed. */
  readonly noteChange: () => void
  /** For tests: how files are written. */
  readonly write?: WriteOptions
}

export class EnvironmentChanges {
  readonly #options: EnvironmentChangesOptions
  readonly #etagOf: (seen: SeenEnvironment) => string

  constructor(options: EnvironmentChangesOptions, etagOf: (seen: SeenEnvironment) => string) {
    this.#options = options
    this.#etagOf = etagOf
  }

  async write({ set, unset, ...chosen }: EnvironmentWrite): Promise<EnvironmentWritten> {
    const { environment, seen, read } = await this.#find(chosen)
    const { now } = await this.#change(read, () =>
      writeEnvironment(
        {
          ...this.#place(chosen),
          seen,
          values: Object.entries(set).map(([name, value]) => valueOf(name, value)),
          unset: unset.filter((name) => environment.values.has(name) || environment.secrets.has(name)),
        },
        this.#options.write,
      ),
    )
    return { etag: this.#etagOf(now) }
  }

  async settings({
    extends: parent,
    level,
    verify,
    ...chosen
  }: EnvironmentSettings): Promise<EnvironmentWritten> {
    const { seen, read } = await this.#find(chosen)
    const { now } = await this.#change(read, () =>
      writeSettings({ ...this.#place(chosen), seen, extends: parent, level, verify }, this.#options.write),
    )
    return { etag: this.#etagOf(now) }
  }

  async create({ extends: parent, level, ...chosen }: NewEnvironment): Promise<EnvironmentWritten> {
    const read = await this.#read(chosen.api)
    const { now } = await this.#change(read, () =>
      createEnvironment(
        { ...this.#place(chosen), extends: parent, level, verify: null },
        this.#options.write,
      ),
    )
    return { etag: this.#etagOf(now) }
  }

  async rename({ to, ...chosen }: EnvironmentRename): Promise<EnvironmentWritten> {
    const { seen, read } = await this.#find(chosen)
    await this.#change(read, () =>
      renameEnvironment({ ...this.#place(chosen), to, seen }, this.#options.write),
    )
    return { etag: this.#etagOf(seen) }
  }

  async delete(chosen: ChosenEnvironment): Promise<Output<"environments.delete">> {
    const { seen, read } = await this.#find(chosen)
    await this.#change(read, () => deleteEnvironment({ ...this.#place(chosen), seen }, this.#options.write))
    return {}
  }

  #place({ api, environment }: { readonly api: string; readonly environment: string }) {
    return { root: this.#options.root, api, environment }
  }

  #read(api: string): Promise<ReadEnvironments> {
    const { root, processEnvironment } = this.#options
    return readAllEnvironments(root, api, processEnvironment)
  }

  /** The environment as the page has seen it, or the refusal that it is another by now. */
  async #find({ api, environment: name, etag }: ChosenEnvironment) {
    const read = await this.#read(api)
    const environment = read.files.environments.get(name)
    if (environment === undefined) throw etag === null ? missing(read, name) : environmentChanged()
    const seen = seenOf(environment)
    if (this.#etagOf(seen) !== etag) throw environmentChanged()
    return { environment, seen, read } satisfies { environment: Environment; [key: string]: unknown }
  }

  async #change<T>({ masker }: ReadEnvironments, change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } catch (error) {
      throw refuseChange(error, masker)
    } finally {
      // Also where it was refused: git may ignore secrets files now, and what a crash has left may be finished.
      this.#options.noteChange()
    }
  }
}

function missing({ files: { api, environments } }: ReadEnvironments, name: string): CallsheetError {
  const hint = suggest(name, environments.keys())
  return new CallRefused(404, "env-missing", `the API "${api}" has no environment ${JSON.stringify(name)}`, {
    hint,
  })
}

const valueOf = (name: string, value: CellValue) =>
  typeof value === "string" ? { name, text: value } : { name, value }
