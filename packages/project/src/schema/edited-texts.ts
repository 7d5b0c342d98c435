// The contents of an API's environment files while a change is made, in memory.

import type { Environment, EnvironmentFiles, Problem } from "@callsheet/format"
import { JsonText, SecretsText } from "../environment/edited-text.ts"
import {
  environmentsFolder,
  requireParsed,
  secretsFile,
  throwIfAny,
} from "../environment/environment-files.ts"
import type { TextEdit } from "./apply-text-edits.ts"

const NEW_SCHEMA = '{\n  "version": 1,\n  "variables": {}\n}\n'

export interface OpenEnvironment extends Environment {
  readonly valuesText: JsonText
  readonly secretsText: SecretsText
}

export class EditedTexts {
  readonly schemaFile: string
  readonly schema: JsonText
  readonly environments: readonly OpenEnvironment[]
  readonly #files: {
    readonly file: string
    readonly before: string | null
    readonly now: JsonText | SecretsText
  }[]

  constructor({ api, schemaFile, environments }: EnvironmentFiles) {
    this.schemaFile = `${environmentsFolder(api)}/schema.json`
    this.schema = new JsonText(schemaFile?.text ?? NEW_SCHEMA)
    this.environments = [...environments.values()].map((environment) => ({
      ...environment,
      valuesText: new JsonText(environment.valueFile.text),
      secretsText: new SecretsText(environment.secretsFile?.text ?? ""),
    }))
    this.#files = [
      { file: this.schemaFile, before: schemaFile?.text ?? null, now: this.schema },
      ...this.environments.flatMap(({ name, valueFile, secretsFile: secrets, valuesText, secretsText }) => [
        { file: valueFile.file, before: valueFile.text, now: valuesText },
        { file: secretsFile(api, name), before: secrets?.text ?? null, now: secretsText },
      ]),
    ]
  }

  edits(): readonly TextEdit[] {
    return this.#files
      .filter(({ now }) => now.text !== now.start)
      .map(({ file, before, now }) => ({
        file,
        before,
        after: now.text,
        isSecret: now instanceof SecretsText,
      }))
  }

  after(): readonly { readonly file: string; readonly text: string }[] {
    return this.#files
      .filter(({ before, now }) => before !== null || now.text !== now.start)
      .map(({ file, now }) => ({ file, text: now.text }))
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

/** Returns the problems that make it impossible to edit a file by its values. */
export const hidingProblems = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ code, severity }) => severity === "error" && hidesAll.has(code))

/** Throws the problems of files that don't parse. callsheet never overwrites such a file. */
export function requireWhole(files: EnvironmentFiles): void {
  throwIfAny(hidingProblems(files.problems))
  for (const { valueFile, secretsFile: secrets } of files.environments.values())
    requireParsed(files, valueFile, secrets)
}
