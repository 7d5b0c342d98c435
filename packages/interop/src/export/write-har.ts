// Writes an HTTP Archive (HAR 1.2) of requests without responses.

import { stringifyJson } from "@callsheet/format"
import { linearSteps, loseSettings } from "./linear-steps.ts"
import { exportReasons as reasons } from "./messages.ts"
import { displayText } from "./display-text.ts"
import type { Exported, ExportBody, RequestStep, Slot, Template, Writer } from "./model.ts"

/** A HAR requires times, but an export sends nothing. */
const NEVER = "1970-01-01T00:00:00.000Z"
const httpVersion = "HTTP/1.1"

export const writeHar: Writer = (exported) => {
  const { steps } = linearSteps(exported, "HAR")
  const requests = steps.filter((step) => step.kind === "send")
  for (const step of steps)
    if (step.kind === "check") exported.lose(step.where, "assertions", reasons.checks("HAR"))
  const entries = requests.map((step) => entryOf(step, exported))
  const log = { version: "1.2", creator: { name: "callsheet", version: "1" }, pages: [], entries }
  return { text: `${stringifyJson({ log }, { indent: 2 })}\n`, requests: entries.length }
}

function entryOf(step: RequestStep, exported: Exported) {
  const { request, where } = step
  const text = (template: Template): string => template.map((part) => partText(part, step, exported)).join("")
  const { body } = request
  const url = text(request.url)
  const named = ({ name, value }: { name: string; value: Template }) => ({ name, value: text(value) })
  const type = body?.kind === "multipart" ? [{ name: "content-type", value: body.mediaType }] : []
  loseSettings(step, exported.lose, "HAR")
  if (request.auth !== undefined)
    exported.lose(where, `${request.auth.kind} authentication`, reasons.auth("HAR"))
  const cookies = request.cookies.filter(({ value }) => value.length > 0).map(named)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return {
    startedDateTime: NEVER,
    time: 0,
    request: {
      method: request.method,
      // A secret base URL is masked with its scheme, but the format requires one.
      url: uriOf(/^https?:/i.test(url) ? url : `https://${url}`),
      httpVersion,
      cookies,
      headers: [
        ...request.headers.map(named),
        ...type,
        ...(cookie === "" ? [] : [{ name: "cookie", value: cookie }]),
      ],
      queryString: [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])].map(([name, value]) => ({
        name,
        value,
      })),
      postData: body && postDataOf(body, text, () => exported.lose(where, "file", reasons.file())),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: 0,
      statusText: "",
      httpVersion,
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: "x-unknown" },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
    comment: displayText(exported.split, step.id),
  }
}

/** Escapes brackets after the host, which a run sends as they are but a URI can't contain. */
const uriOf = (url: string): string =>
  url.replace(
    /^([a-z]+:\/\/[^/?]*)(.*)$/is,
    (_, origin: string, rest: string) => origin + rest.replaceAll(/[[\]]/g, encodeURIComponent),
  )

function postDataOf(body: ExportBody, text: (template: Template) => string, loseFile: () => void) {
  const { mediaType: mimeType } = body
  if (body.kind === "multipart") {
    const params = body.parts.map(({ name, filename, contentType, content }) => {
      if ("file" in content) loseFile()
      return {
        name,
        ...("file" in content ? { fileName: filename ?? content.file } : { value: text(content) }),
        ...(contentType === undefined ? {} : { contentType }),
      }
    })
    return { mimeType, params }
  }
  if (body.kind !== "file") return { mimeType, text: text(body.text) }
  loseFile()
  return { mimeType, text: "" }
}

function partText(part: string | Slot, { where }: RequestStep, { lose, split }: Exported): string {
  if (typeof part === "string") return part
  const { ref, as } = part
  if (ref.kind === "variable") {
    lose(where, `secret ${ref.name ?? ""}`, reasons.secret(`${ref.api ?? ""}.${ref.name ?? ""}`))
    return as === "json" ? `"***"` : "***"
  }
  const path = displayText(split, ref.path)
  lose(where, `value ${path}`, reasons.later(path))
  const shown = `{{${path}}}`
  return as === "json"
    ? JSON.stringify(shown)
    : as === "url" || as === "form"
      ? encodeURIComponent(shown)
      : shown
}
