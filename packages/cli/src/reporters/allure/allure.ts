// Writes a directory of Allure results: https://allurereport.org/docs/how-it-works-test-result-file/

import { stringifyJson, trackBlocks, type Leftover } from "@callsheet/format"
import type { ReportDirectory } from "../report-directory.ts"
import { jsonDocument } from "../../text/json-document.ts"
import { breakCommands, breakCommandsInJson } from "../../text/log-commands.ts"
import { printable } from "../../text/printable.ts"
import { chunks } from "../chunks.ts"
import type { FileReporter } from "../reporter.ts"
import { uuidOf } from "./ids.ts"
import { Result, type Attachment, type ResultFiles } from "./result.ts"

export const writeAllure: FileReporter = (events, { directory, end: { verdict } }) => {
  if (directory === undefined) throw new Error("Allure results need a directory")
  const files = createFiles(directory)
  const environments = new Map<string, Set<string>>()
  let runs = 0
  let leftovers: readonly Leftover[] = []
  /** The time when the latest run stopped. */
  let timestamp = 0
  let id = ""
  const { apply } = trackBlocks((run) => {
    for (const [api, { name }] of Object.entries(run.environments)) {
      const names = environments.get(api) ?? new Set()
      environments.set(api, names.add(name))
    }
    const result = new Result(run, runs++, files, (stop) => (timestamp = Math.max(timestamp, stop)))
    id ||= result.uuid
    return result
  })
  for (const event of events) {
    if (event.type === "leftovers.found") ({ leftovers } = event)
    else apply(event)
  }
  if (environments.size > 0) directory.add("environment.properties", propertiesOf(environments))
  const uuid = uuidOf(`${id} globals`)
  const attachments: (Attachment & { readonly timestamp: number })[] = []
  if (leftovers.length > 0)
    attachments.push({ ...files.attach(uuid, "Leftovers", [...leftovers]), timestamp })
  const message = "An option such as --max-warnings failed this session."
  const errors = verdict === undefined ? [] : [{ message, timestamp }]
  if (attachments.length + errors.length > 0)
    files.addJson(`${uuid}-globals.json`, [stringifyJson({ attachments, errors })])
  return []
}

function createFiles(directory: ReportDirectory): ResultFiles {
  return {
    addJson: (name, pieces) => directory.add(name, withoutCommands(pieces)),
    attach: (id, name, content) => {
      const isText = typeof content === "string"
      const source = `${uuidOf(id)}-attachment.${isText ? "txt" : "json"}`
      directory.add(source, [isText ? breakCommands(printable(content, "lines")) : jsonDocument(content)])
      return { name, type: isText ? "text/plain" : "application/json", source }
    },
  }
}

function* withoutCommands(json: Iterable<string>): Generator<string, void> {
  for (const chunk of chunks(json)) yield breakCommandsInJson(chunk)
}

/** Names the environments of each API as a Java properties file. */
const propertiesOf = (environments: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...environments].map(
    ([api, names]) => `${api}=${printable([...names].join(", ")).replaceAll("\\", "\\\\")}\n`,
  )
