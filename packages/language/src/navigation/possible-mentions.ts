// Finds texts that may name a thing, although nothing shows that they do. A rename lists them.

import { escapePattern, isJsonObject, isPattern, locateJson, matches, objectMember } from "@callsheet/format"
import { scriptFile } from "../names/scripts.ts"
import type { Named } from "./named.ts"
import type { NamedPlace, ProjectTexts } from "./project-mentions.ts"
import { entriesIn } from "./settings-mentions.ts"

/** Yields places that aren't mentions: strings of scripts, and inputs of entries whose workflow is a pattern. */
export function* possibleMentions(texts: ProjectTexts, named: Named): Generator<NamedPlace> {
  const { scriptNames } = texts.project
  if (named.is === "block" || named.is === "input") {
    const quoted = new RegExp(`(?<=["'\`])${escapePattern(named.name)}(?=["'\`.[])`, "g")
    yield* inScripts(texts, { workflows: [named.workflow], pattern: quoted })
  }
  if (named.is === "input") yield* inPatternEntries(texts, named.workflow, named.name)
  if (named.is !== "variable") return
  const word = new RegExp(`(?<![\\w$-])${escapePattern(named.name)}(?![\\w$-])`, "g")
  yield* inScripts(texts, { workflows: scriptNames.keys(), pattern: word, needed: /\benv\b/ })
}

interface ScriptSearch {
  readonly workflows: Iterable<string>
  readonly pattern: RegExp
  /** Skips scripts without a match. */
  readonly needed?: RegExp
}

function* inScripts(
  { project, textOf }: ProjectTexts,
  { workflows, pattern, needed }: ScriptSearch,
): Generator<NamedPlace> {
  for (const workflow of workflows)
    for (const script of project.scriptNames.get(workflow) ?? []) {
      const file = scriptFile(workflow, script)
      const text = textOf(file) ?? ""
      if (needed?.test(text) === false) continue
      for (const { index, 0: found } of text.matchAll(pattern))
        yield { file, from: index, to: index + found.length }
    }
}

function* inPatternEntries(
  { project }: ProjectTexts,
  workflow: string,
  input: string,
): Generator<NamedPlace> {
  const { settingsFile } = project
  if (settingsFile === undefined) return
  const json = locateJson(settingsFile.text)
  for (const [name, suite] of Object.entries(objectMember(json.value, "suites") ?? {}))
    for (const entry of entriesIn(suite, ["suites", name])) {
      if (!isPattern(entry.workflow) || !matches(workflow, entry.workflow)) continue
      const at = isJsonObject(entry.value)
        ? json.rangeOf([...entry.pointer, "inputs", input], "key")
        : undefined
      if (at !== undefined) yield { file: settingsFile.file, ...at }
    }
}
