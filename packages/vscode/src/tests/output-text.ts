// The text of a run in the output of the Test Explorer. The command has masked everything in it.

import { formatDuration, stringifyJson, type EventOf, type Exchange, type Headers } from "@callsheet/format"

interface LineOf {
  readonly id: string
  readonly request?: Exchange["request"]
  readonly response?: Exchange["response"]
}

const marks = { passed: "✓", failed: "✗", skipped: "−" } as const

/** Returns `✓ create  POST http://…  201  12 ms`. */
export function blockLine(
  { id, request, response }: LineOf,
  { status, durationMs, error }: EventOf<"block.finished">,
): string {
  const sent = request === undefined ? [] : [`${request.method} ${request.url}`]
  const received = response === undefined ? [] : [String(response.status)]
  const reason = error === undefined ? "" : `\n    ${error.message}`
  return `  ${[`${marks[status]} ${id}`, ...sent, ...received, formatDuration(durationMs)].join("  ")}${reason}`
}

/** Returns an exchange as it would be on the wire, with headers and bodies. */
export function exchangeText({ request, response }: Exchange): string {
  const { method, url } = request
  const sent = [
    `${method} ${url}`,
    ...headerLines(request.headers),
    ...bodyLines(request.bodyText ?? request.body),
  ]
  const received =
    response === undefined
      ? ["no response"]
      : [String(response.status), ...headerLines(response.headers), ...bodyLines(response.body)]
  return [...sent.map((line) => `    > ${line}`), ...received.map((line) => `    < ${line}`)].join("\n")
}

const headerLines = (headers: Headers = {}): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((text) => `${name}: ${text}`))

const bodyLines = (body: Exchange["request"]["body"]): readonly string[] =>
  body === undefined
    ? []
    : ["", ...(typeof body === "string" ? body : stringifyJson(body, { indent: 2 })).split(/\r?\n/)]
