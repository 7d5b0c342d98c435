// What a variable is in each environment, and where its value comes from. Values of secrets are never shown.

import {
  createJsonLocator,
  createLineFinder,
  hideUrlCredentials,
  parseSecretsFile,
  processVariableName,
  resolveEnvironment,
  stringifyJson,
  type EnvironmentFiles,
  type ResolvedVariable,
} from "@callsheet/format"
import type { Context } from "../context.ts"
import { list, type Style } from "../known/markup.ts"
import type { View } from "../project/view.ts"

interface VariableGround {
  readonly view: View
  readonly context: Pick<Context, "options">
}

/** Returns undefined if the API doesn't declare the variable. */
export function describeVariable(api: string, name: string, ground: VariableGround) {
  const { view } = ground
  const files = view.project.apis.get(api)?.environments
  const declaration = files?.variables.get(name)
  if (files === undefined || declaration === undefined) return undefined
  const { text } = view.masker()
  const facts = [
    "variable",
    declaration.type,
    declaration.secret === true ? "secret" : "",
    declaration.required ? "required" : "",
  ]
  const values = describeValues(files, name, ground)
  return (style: Style): readonly (string | undefined)[] => [
    `${style.code(`${api}.${name}`)} (${facts.filter((fact) => fact !== "").join(", ")})`,
    declaration.description && style.text(text(declaration.description)),
    values(style),
  ]
}

/** Lists the value of a variable in each environment, with its origin. */
export function describeValues(
  files: EnvironmentFiles,
  name: string,
  { view, context }: VariableGround,
): (style: Style) => string | undefined {
  const { processEnvironment } = context.options
  const { text } = view.masker()
  const values = [...files.environments.keys()].map((environment) => {
    const { variables } = resolveEnvironment({ files, name: environment, processEnvironment }).environment
    return { environment, variable: variables.get(name) }
  })
  return (style) =>
    list(
      values.map(({ environment, variable }) => {
        const value = variable && describeValue(variable, { files, environment, style, text })
        return `${style.strong(environment)}: ${value ?? ""}`
      }),
    )
}

interface ValueGround extends OriginGround {
  /** Masks secrets. */
  readonly text: (text: string) => string
}

/** Returns the value, if it may be shown, and its origin. */
export function describeValue(variable: ResolvedVariable, ground: ValueGround): string {
  const origin = originOf(variable, ground)
  const value = shownValue(variable, ground.text, ground.style)
  return origin === undefined ? value : `${value} (${origin})`
}

/** Only values that a value file or a default gives to a variable that isn't secret are shown. */
function shownValue(
  { value, from, declaration }: ResolvedVariable,
  mask: (text: string) => string,
  style: Style,
): string {
  if (value === undefined) return "no value"
  const isOpen = declaration.secret !== true && (from === "values" || from === "default")
  if (!isOpen) return style.code("***")
  if (typeof value === "boolean") return style.code(String(value))
  const shown = hideUrlCredentials(mask(String(value))).slice(0, 500)
  return style.code(typeof value === "string" ? stringifyJson(shown) : shown)
}

interface OriginGround {
  readonly files: EnvironmentFiles
  readonly environment: string
  readonly style: Style
}

function originOf(
  variable: ResolvedVariable,
  { files, environment, style }: OriginGround,
): string | undefined {
  const { name, from, environment: owner } = variable
  switch (from) {
    case "process":
      return `the process variable ${style.code(processVariableName(files.api, name))}`
    case "secrets":
    case "values": {
      const inherited =
        owner === undefined || owner === environment ? "" : `inherited from ${style.text(owner)}, `
      return `${inherited}${style.code(placeOf(variable, files))}`
    }
    case "default":
      return `default, ${style.code(placeOf(variable, files))}`
    case "override":
    case "none":
      return undefined
  }
}

/** Returns the file and line that set the variable. */
function placeOf(
  { name, from, environment = "", file = "" }: ResolvedVariable,
  files: EnvironmentFiles,
): string {
  const own = files.environments.get(environment)
  const line =
    from === "secrets"
      ? lineOfSecret(own?.secretsFile?.text ?? "", name)
      : lineOfKey(
          from === "default" ? files.schemaFile?.text : own?.valueFile.text,
          from === "default" ? ["variables", name, "default"] : [name],
        )
  return line === undefined ? file : `${file}:${line}`
}

const lineOfSecret = (text: string, name: string): number | undefined =>
  parseSecretsFile(text).entries.findLast((entry) => entry.name === name)?.line

function lineOfKey(text: string | undefined, pointer: readonly string[]): number | undefined {
  return text === undefined ? undefined : createLineFinder(text)(createJsonLocator(text)(pointer, "key")).line
}
