// Finds what a script reads of its workflow: `ctx.get("a.b")`, `ctx.has`, `ctx.expect`, `ctx.inputs.x`, `ctx.env("api").x`.
// Uses no parser, like the updates of imports, so it also reads half-written scripts.

import { escapePattern, ownOf } from "@callsheet/format"
import { pathsIn } from "../references/path-heads.ts"
import type { WorkflowNames } from "../scope/places.ts"
import type { Mention, Named } from "./named.ts"

interface ScriptText {
  readonly workflow: string
  readonly script: string
  readonly text: string
}

/** Yields the mentions by kind. `names` are those of the script's workflow. */
export function* scriptMentions(
  { workflow, script, text }: ScriptText,
  names: WorkflowNames | undefined,
): Generator<Mention> {
  for (const match of text.matchAll(exported))
    yield* groupMention(match, "name", (name) => ({ is: "export", workflow, script, name }), true)
  const context = contextOf(text)
  for (const match of text.matchAll(new RegExp(`${context}(?:get|has|expect)${call}${quotedPath}`, "gd")))
    yield* pathMentions(match, workflow, names)
  for (const match of text.matchAll(new RegExp(`${context}inputs${memberOf}`, "gd"))) {
    yield* memberMention(match, (name) => ({ is: "input", workflow, name }))
  }
  for (const match of text.matchAll(new RegExp(`${context}env${call}${quotedApi}(?:${memberOf})?`, "gd"))) {
    const api = match.groups?.["api"] ?? ""
    yield* groupMention(match, "api", () => ({ is: "api", name: api }))
    yield* memberMention(match, (name) => ({ is: "variable", api, name }))
  }
}

const exported = /^export\s+(?:default\s+)?(?:async\s+)?(?:function\*?|const|let|class)\s+(?<name>[\w$]+)/dgm

const call = String.raw`\s*(?:<[^()]*?>)?\(\s*`
const quotedPath = String.raw`(?<quote>["'\x60])(?<path>[^"'\x60\\\n]+)\k<quote>`
const quotedApi = String.raw`(?<q>["'\x60])(?<api>[^"'\x60\\\n]+)\k<q>\s*\)`
const memberOf = String.raw`(?:\s*[?!]?\.\s*(?<member>[A-Za-z_$][\w$]*)|\s*(?:\?\.|!)?\[\s*(?<qm>["'\x60])(?<quoted>[^"'\x60\\\n]*)\k<qm>\s*\])`

/** Returns a pattern of the ways in which a script reaches the members of its context. */
function contextOf(text: string): string {
  const typed = [...text.matchAll(/([\w$]+)\s*:\s*(?:\w+\.)?\w*Context\b/g)].map(([, name = ""]) => name)
  const names = [...new Set(["ctx", "context", ...typed])].map(escapePattern)
  const dotted = String.raw`(?<![\w$.])(?:${names.join("|")})\s*[?!]?\.\s*`
  const isTakenApart = /\{[^{}]*\}\s*(?::\s*(?:\w+\.)?\w*Context\b|=\s*(?:ctx|context)\b)/.test(text)
  return isTakenApart ? String.raw`(?:${dotted}|(?<![\w$.])(?=\w))` : dotted
}

type Group = (name: string) => Named

function* groupMention(
  match: RegExpExecArray | RegExpMatchArray,
  group: string,
  named: Group,
  declares = false,
): Generator<Mention> {
  const name = ownOf(match.groups, group)
  const [from, to] = ownOf(match.indices?.groups, group) ?? []
  if (name !== undefined && from !== undefined && to !== undefined)
    yield { named: named(name), declares, from, to }
}

function* memberMention(match: RegExpMatchArray, named: Group): Generator<Mention> {
  for (const mention of groupMention(match, "member", named)) yield { ...mention, isMember: true }
  yield* groupMention(match, "quoted", named)
}

function* pathMentions(
  match: RegExpMatchArray,
  workflow: string,
  names: WorkflowNames | undefined,
): Generator<Mention> {
  const [start = 0] = match.indices?.groups?.["path"] ?? []
  for (const path of pathsIn({ text: match.groups?.["path"] ?? "", is: "path" })) {
    const [first, second, third] = path
    if (first === undefined) continue
    const found = names?.meaningOf(first.name, { block: {} })
    const at = ({ from, to }: { from: number; to: number }) => ({ from: start + from, to: start + to })
    if (found?.is === "input")
      yield { named: { is: "input", workflow, name: first.name }, declares: false, ...at(first) }
    else if (found?.is === "result" && typeof found.block["id"] === "string")
      yield { named: { is: "block", workflow, name: found.block["id"] }, declares: false, ...at(first) }
    else if (first.name === "env" && second !== undefined && third !== undefined)
      yield {
        named: { is: "variable", api: second.name, name: third.name },
        declares: false,
        ...at(third),
      }
  }
}
