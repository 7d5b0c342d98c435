// What the name of an API, a workflow or an environment stands for.

import {
  hideUrlCredentials,
  member,
  resolveEnvironment,
  textMember,
  walkBlocks,
  type InputDeclaration,
} from "@callsheet/format"
import type { Named } from "@callsheet/language"
import { listOperations, serverUrls } from "@callsheet/openapi"
import type { Context } from "../context.ts"
import { list, type Style } from "../known/markup.ts"
import type { View } from "../project/view.ts"
import { describeValue, describeValues } from "./variable.ts"

type Write = (style: Style) => readonly (string | undefined)[]

interface NamedGround {
  readonly view: View
  readonly context: Pick<Context, "options">
}

/** Returns undefined for other things, and for names of nothing. */
export async function describeNamed(named: Named, ground: NamedGround): Promise<Write | undefined> {
  if (named.is === "api") return describeApi(named.name, ground)
  if (named.is === "workflow") return describeWorkflow(named.name, ground)
  return named.is === "environment" ? describeEnvironment(named, ground) : undefined
}

async function describeApi(name: string, ground: NamedGround): Promise<Write | undefined> {
  const { view } = ground
  const files = view.project.apis.get(name)?.environments
  if (files === undefined) return undefined
  const document = (await view.source(name))?.document
  const { text } = view.masker()
  const info = document && member(document.root, "info")
  const said = (key: string): string => text(textMember(info, key) ?? "")
  const operations = document === undefined ? 0 : listOperations(document).length
  const servers = document === undefined ? [] : serverUrls(document)
  return (style) => [
    `${style.code(name)} (${["API", ...(document === undefined ? [] : [counted(operations, "operation")])].join(", ")})`,
    document && [style.strong(said("title")), style.text(said("version"))].join(" "),
    style.text(said("description").slice(0, MAX_TEXT)),
    files.variables.has("baseUrl")
      ? `Base URL:\n\n${describeValues(files, "baseUrl", ground)(style)}`
      : list(
          servers.map((url) => style.code(text(hideUrlCredentials(url)))),
          "Servers",
        ),
  ]
}

const MAX_TEXT = 2_000

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`

function describeWorkflow(name: string, { view }: NamedGround): Write | undefined {
  const workflow = view.project.workflows.get(name)?.readable?.workflow
  if (workflow === undefined) return undefined
  const { text } = view.masker()
  const blocks = [...walkBlocks(workflow.blocks)].length
  return (style) => [
    `${style.code(name)} (workflow, ${counted(blocks, "block")})`,
    list(
      Object.entries(workflow.inputs ?? {}).map(([input, declared]) =>
        inputRow(input, declared, { text, style }),
      ),
      "Inputs",
    ),
  ]
}

interface RowStyle {
  readonly text: (text: string) => string
  readonly style: Style
}

function inputRow(
  name: string,
  { type, required, description }: InputDeclaration,
  { text, style }: RowStyle,
): string {
  const facts = [type, ...(required === true ? ["required"] : [])].join(", ")
  const row = `${style.code(text(name))} (${facts})`
  return description === undefined ? row : `${row}: ${style.text(text(description))}`
}

function describeEnvironment(
  { api, name }: { readonly api: string; readonly name: string },
  { view, context }: NamedGround,
): Write | undefined {
  const files = view.project.apis.get(api)?.environments
  if (files?.environments.has(name) !== true) return undefined
  const { processEnvironment } = context.options
  const { environment } = resolveEnvironment({ files, name, processEnvironment })
  const { text } = view.masker()
  return (style) => [
    `${style.code(name)} (environment of ${style.text(api)}${environment.level === undefined ? "" : `, ${environment.level}`})`,
    environment.extends === undefined ? undefined : `Extends ${style.code(environment.extends)}`,
    list(
      [...environment.variables.values()].map((variable) => {
        const value = describeValue(variable, { files, environment: name, style, text })
        return `${style.strong(text(variable.name))}: ${value}`
      }),
    ),
  ]
}
