// `callsheet completion`: prints the script that a shell loads, and suggests the next word.

import { resolve } from "node:path"
import { attempt, COLLECTOR, reporterNames, schemaKinds, ownOf } from "@callsheet/format"
import {
  findProjectRoot,
  isProjectRoot,
  listApiNames,
  listWorkflows,
  openProject,
  readEnvironments,
  readSettings,
  type ProjectFolder,
} from "@callsheet/project"
import type { Command, CommandRow } from "../args/command.ts"
import { findCommand, takesNext, type CommandTable } from "../args/parse-arguments.ts"
import { problemFormatNames } from "../problem-formats/index.ts"
import { findProjects, isProjectPattern } from "../projects/find-projects.ts"

interface Candidate {
  readonly text: string
  readonly summary?: string
}

interface Shell {
  readonly script: string
  /** Joins words that the shell has split. Absent if the shell doesn't split words. */
  readonly join?: (words: readonly string[]) => readonly string[]
  /** Formats a suggestion for the current word. */
  readonly line: (candidate: Candidate, current: string) => string
}

const shells: Readonly<Record<string, Shell>> = {
  bash: {
    script: `_callsheet() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
    callsheet completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
  )
}
complete -o default -F _callsheet callsheet
`,
    // bash splits words at "=" and replaces only the part after it.
    join: (words) =>
      words
        .join("\0")
        .replaceAll(/\0?=\0?/g, "=")
        .split("\0"),
    line: ({ text }, current) => text.slice(current.lastIndexOf("=") + 1),
  },
  zsh: {
    script: `#compdef callsheet
_callsheet() {
  local -a found
  found=("\${(@f)$(callsheet completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then _describe callsheet found; else _files; fi
}
if [[ "\${funcstack[1]}" = _callsheet ]]; then _callsheet; else compdef _callsheet callsheet; fi
`,
    line: ({ text, summary = "" }) => [text, summary].map((part) => part.replaceAll(":", "\\:")).join(":"),
  },
  fish: {
    script: `complete -c callsheet -f -a '(callsheet completion fish -- (commandline -opc)[2..] "$(commandline -ct)" 2>/dev/null)'
`,
    line: ({ text, summary = "" }) => `${text}\t${summary}`,
  },
}

export const completion: Command = async ({ words, screen, cwd }) => {
  const [name = "", ...typed] = words
  const shell = ownOf(shells, name)
  if (shell === undefined) throw new Error(`unknown shell ${name} passed the parser`)
  if (typed.length === 0) {
    screen.out.write(shell.script)
    return 0
  }
  const { table } = await import("./index.ts")
  const joined = shell.join?.(typed) ?? typed
  const current = joined.at(-1) ?? ""
  const found = complete(joined.slice(0, -1), current, { table, cwd })
  // Don't suggest names that need quotes in a shell.
  const plain = found.filter(({ text }) => text.startsWith(current) && /^[\w./=@-]+$/.test(text))
  for (const candidate of plain) screen.out.write(`${shell.line(candidate, current)}\n`)
  return 0
}

function complete(
  before: readonly string[],
  current: string,
  { table, cwd }: { readonly table: CommandTable; readonly cwd: string },
): readonly Candidate[] {
  const { row, name, nameAt } = findCommand(before, table)
  if (row === undefined && !current.startsWith("-")) return commandsAfter(name, table)
  const valued = takesNext(table)
  const isWord = (word: string, at: number): boolean =>
    !nameAt.includes(at) && !word.startsWith("-") && !valued.has(before[at - 1] ?? "")
  const words = before.filter(isWord)
  const projects = openProjects(before, cwd)
  const valuesOf = (option: string): readonly Candidate[] => optionValues(option, { row, projects, words })
  if (valued.has(before.at(-1) ?? "")) return valuesOf(before.at(-1) ?? "")
  const [, option] = /^(--[a-z-]+)=/.exec(current) ?? []
  if (option !== undefined) return valuesOf(option).map(({ text }) => ({ text: `${option}=${text}` }))
  if (current.startsWith("-")) {
    return [...(row?.options() ?? []), ...table.common()]
      .filter((each) => each.repeats === true || !before.includes(`--${each.name}`))
      .map((each) => ({ text: `--${each.name}`, summary: each.summary }))
  }
  const argument = row?.arguments[words.length] ?? row?.arguments.at(-1)
  if (argument === undefined || (argument.repeats !== true && words.length >= (row?.arguments.length ?? 0)))
    return []
  return (argument.choices ?? namesOf(argument.name, projects, words)).map((text) => ({ text }))
}

function commandsAfter(name: readonly string[], { commands, groups }: CommandTable): readonly Candidate[] {
  const found = new Map<string, string>()
  for (const { name: full, summary } of commands) {
    const [first = "", second] = full.split(" ")
    if (name.length === 0) found.set(first, ownOf(groups, first) ?? summary)
    else if (name[0] === first && second !== undefined) found.set(second, summary)
  }
  return [...found].map(([text, summary]) => ({ text, summary }))
}

interface Place {
  readonly row: CommandRow | undefined
  readonly projects: readonly ProjectFolder[]
  readonly words: readonly string[]
}

function optionValues(option: string, { row, projects, words }: Place): readonly Candidate[] {
  const name = option.slice(2)
  const value = row?.options().find((each) => each.name === name)?.value ?? ""
  const texts = /^\w+(?:\|\w+)+$/.test(value) ? value.split("|") : namesOf(`--${name}`, projects, words)
  return texts.map((text) => ({ text }))
}

/** Returns the possible values of an argument or option in any of the projects. */
function namesOf(
  name: string,
  projects: readonly ProjectFolder[],
  words: readonly string[],
): readonly string[] {
  // Some names need no project.
  const places = projects.length === 0 ? [undefined] : projects
  return [...new Set(places.flatMap((project) => namesIn(name, project, words)))]
}

function namesIn(
  name: string,
  project: ProjectFolder | undefined,
  words: readonly string[],
): readonly string[] {
  const environments = (api: string): readonly string[] =>
    project === undefined ? [] : [...readEnvironments(project, api).environments.keys()]
  const apis = project === undefined ? [] : listApiNames(project)
  switch (name) {
    case "workflow":
      return project === undefined ? [] : [...listWorkflows(project).keys()]
    case "--suite":
      return project === undefined ? [] : Object.keys(readSettings(project)?.settings?.suites ?? {})
    case "api":
    case "--api":
      return apis
    case "environment":
    case "--extends":
      return apis.includes(words[0] ?? "") ? environments(words[0] ?? "") : []
    case "--env":
      return [
        ...new Set(apis.flatMap((api) => environments(api))),
        ...apis.flatMap((api) => environments(api).map((environment) => `${api}=${environment}`)),
      ]
    case "kind":
      return schemaKinds
    case "--reporter":
      return [...reporterNames, COLLECTOR]
    case "--format":
      return problemFormatNames
    default:
      return []
  }
}

/** Returns the project of the call, or all that a pattern matches. */
function openProjects(before: readonly string[], cwd: string): readonly ProjectFolder[] {
  const at = before.indexOf("--project")
  // Shells pass a word with its quotes.
  const given = at === -1 ? undefined : (before[at + 1] ?? "").replace(/^(["'])(.*)\1$/s, "$2")
  if (given !== undefined && isProjectPattern(cwd, given))
    return (attempt(() => findProjects(cwd, given)) ?? []).map(({ root }) => openProject(root))
  const root = given === undefined ? findProjectRoot(cwd) : resolve(cwd, given)
  return root === undefined || !isProjectRoot(root) ? [] : [openProject(root)]
}
