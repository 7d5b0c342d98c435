// The texts of an API's environment files while a change is worked out. Nothing is written here.

import {
  parseJson,
  parseSecretsFile,
  isJsonObject,
  type EditedJson,
  type EditedSecrets,
  type Environment,
  type EnvironmentFiles,
  type Problem,
} from "@callsheet/format"
import { environmentsFolder, secretsFile, throwIfAny } from "../environment/environment-files.ts"
import type { TextEdit } from "./schema-change.ts"

const NEW_SCHEMA = '{\n  "version": 1,\n  "variables": {}\n}\n'

export class EditedTexts {
  readonly #files: EnvironmentFiles
  readonly #before = new Map<string, string | null>()
  readonly #after = new Map<string, string>()
  readonly #secret = new Set<string>()
  readonly schemaFile: string

  constructor(files: EnvironmentFiles) {
    this.#files = files
    this.schemaFile = `${environmentsFolder(files.api)}/schema.json`
    this.#before.set(this.schemaFile, files.schemaFile?.text ?? null)
    for (const { valueFile, secretsFile: secrets, name } of files.environments.values()) {
      const file = secretsFile(files.api, name)
      this.#before.set(valueFile.file, valueFile.text)
      this.#before.set(file, secrets?.text ?? null)
      this.#secret.add(file)
    }
  }

  schema(): string {
    return this.#text(this.schemaFile, NEW_SCHEMA)
  }

  values({ valueFile }: Environment): string {
    return this.#text(valueFile.file, "{}\n")
  }

  secrets({ name }: Environment): string {
    return this.#text(secretsFile(this.#files.api, name), "")
  }

  editSchema(edited: EditedJson): void {
    this.#set(this.schemaFile, edited)
  }

  editValues({ valueFile }: Environment, edited: EditedJson): void {
    this.#set(valueFile.file, edited)
  }

  editSecrets({ name }: Environment, edited: EditedSecrets): void {
    this.#set(secretsFile(this.#files.api, name), edited)
  }

  /** Those that are other than they were, secrets files before value files: a crash must not leave a value in neither. */
  edits(): readonly TextEdit[] {
    return [...this.#before].flatMap(([file, before]) => {
      const after = this.#after.get(file)
      return after === undefined || after === before
        ? []
        : [{ file, before, after, isSecret: this.#secret.has(file) }]
    })
  }

  after(): readonly { readonly file: string; readonly text: string }[] {
    return [...this.#before].flatMap(([file, before]) => {
      const text = this.#after.get(file) ?? before
      return text === null ? [] : [{ file, text }]
    })
  }

  #text(file: string, fresh: string): string {
    return this.#after.get(file) ?? this.#before.get(file) ?? fresh
  }

  #set(file: string, edited: EditedJson | EditedSecrets): void {
    // It was looked at before: see `requireWhole`.
    if (!edited.ok) throw new Error("a file was to be edited that does not parse")
    this.#after.set(file, edited.text)
  }
}

const hidesAll = new Set<Problem["code"]>([
  "json-syntax",
  "file-encoding",
  "file-unreadable",
  "file-conflict",
  "dotenv-syntax",
  "link-outside",
])

/** Because of these a file cannot be changed by meaning. */
export const hidingProblems = ({ problems }: EnvironmentFiles): readonly Problem[] =>
  problems.filter(({ code, severity }) => severity === "error" && hidesAll.has(code))

/** Throws what is wrong where a file of an environment does not parse: it is never written over. */
export function requireWhole(files: EnvironmentFiles): void {
  throwIfAny(hidingProblems(files))
  for (const { valueFile, secretsFile: secrets } of files.environments.values()) {
    const parsed = parseJson(valueFile.text)
    const isWhole = parsed.ok && isJsonObject(parsed.value)
    if (!isWhole)
      throwIfAny(
        files.problems.filter(({ file, severity }) => file === valueFile.file && severity === "error"),
      )
    const { findings } = parseSecretsFile(secrets?.text ?? "")
    if (!isWhole || findings.some(({ severity }) => severity !== "warning"))
      throw new Error("a file does not parse, and nothing says so")
  }
}
