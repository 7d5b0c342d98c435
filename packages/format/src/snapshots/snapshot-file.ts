// The format of a snapshot: the response of a request block, as the next run should receive it.

import type { ResponseView } from "../events/types.ts"
import { stringifyJson } from "../json/stringify.ts"
import type { JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import { byPosition, hasErrors, type Problem } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import { any, array, number, object, optional, required, string, textCheck, version } from "../shape/shape.ts"
import type { SourceFile } from "../source.ts"

// A place in a body, such as `/body/items/*/id`. `~0`, `~1` and `~2` stand for `~`, `/` and `*` in a name.
const checkPlace = textCheck(
  /^\/body(?:\/(?:[^~/]|~[012])*)*$/u,
  'a JSON pointer that starts with "/body"',
  messages["field-value"].bodyPointer,
)

/** The shape of a list of places. `*` stands for every index of an array. */
export const placesShape = array(() => string(checkPlace))

const snapshotShape = object({
  version: required(version, "File format version."),
  status: required(number({ integer: true, minimum: 100, maximum: 999 }), "The HTTP status."),
  contentType: optional(string(), "The header `content-type`, if the response has one."),
  body: optional(any, "The body, if the response has one. Text is a string."),
  noise: optional(placesShape, "Places in the body whose values differ between runs."),
})

export interface Snapshot {
  readonly version: 1
  readonly status: number
  readonly contentType?: string | undefined
  readonly body?: JsonValue | undefined
  readonly noise?: readonly string[] | undefined
}

export interface SnapshotFile extends SourceFile {
  /** Absent if `problems` contains errors. */
  readonly snapshot?: Snapshot | undefined
  readonly problems: readonly Problem[]
}

export function checkSnapshotFile(source: SourceFile): SnapshotFile {
  const { value, problems } = checkFile(source, snapshotShape)
  return {
    ...source,
    snapshot: hasErrors(problems) ? undefined : value,
    problems: byPosition(problems),
  }
}

/** Returns the snapshot of a response, which must be masked. */
export function snapshotOf({ status, headers = {}, body }: ResponseView): Snapshot {
  const [contentType] = [headers["content-type"] ?? []].flat()
  return {
    version: 1,
    status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
  }
}

/** Returns the facts by which a contract describes the response. */
export const responseOf = ({ status, contentType }: Snapshot): Pick<ResponseView, "status" | "headers"> =>
  contentType === undefined ? { status } : { status, headers: { "content-type": contentType } }

/** Returns the text of the file. Keys have the order of the format, so that a change shows only what differs. */
export function writeSnapshot({ status, contentType, body, noise = [] }: Snapshot): string {
  const file = {
    version: 1,
    status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
    ...(noise.length === 0 ? {} : { noise }),
  }
  return `${stringifyJson(file, { indent: 2 })}\n`
}
