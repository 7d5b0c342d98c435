// Reads a curl command as the content of a saved request. It passes the import, which replaces secrets by placeholders.

import {
  isJsonObject,
  parseJson,
  ownOf,
  parsePath,
  type JsonObject,
  type JsonValue,
  type PlannedFile,
} from "@callsheet/format"
import type { CurlView, Input } from "../calls/index.ts"
import { CallRefused } from "../handlers.ts"
import { messages } from "../messages.ts"
import type { PreviewImport } from "./preview-in-thread.ts"
import type { ImportJob } from "./work-out-import.ts"

type Given = Omit<ImportJob, "input"> & {
  readonly input: Input<"imports.readCurl">
  readonly previewImport: PreviewImport
}

export async function readCurlCommand({ input, previewImport, ...project }: Given): Promise<CurlView> {
  const { api, text } = input
  const { files, view } = await previewImport({
    ...project,
    input: { sources: [{ name: "curl", text }], api },
  })
  // A command for another server becomes an API of its own.
  const found = firstRequest(files)
  if (found === undefined) throw new CallRefused(422, messages["import-source"].noRequest())
  const environments = `apis/${found.api}/environments/`
  const own = files.filter(({ file }) => file.startsWith(environments))
  return {
    request: found.request,
    baseUrl: own.map(baseUrlIn).find((url) => url !== undefined),
    secrets: own.flatMap((file) =>
      file.is === "secrets" ? Object.entries(file.values).map(([name, value]) => ({ name, value })) : [],
    ),
    requests: view.requests,
    losses: view.losses,
  }
}

interface FoundRequest {
  readonly api: string
  readonly request: JsonObject
}

/** Returns the request of the first block of the workflow, with its saved request or its overrides. */
function firstRequest(files: readonly PlannedFile[]): FoundRequest | undefined {
  const workflow = files.find(({ file }) => /^apis\/workflow\/[^/]+\.json$/.test(file))
  const block = firstBlock(contentOf(workflow))
  const target = objectIn(block, "request")
  const { api, operation, resource, instance } = target
  if (typeof api !== "string") return undefined
  if (typeof operation === "string") {
    const { params, body } = objectIn(target, "overrides")
    return {
      api,
      request: {
        operation,
        ...(params === undefined ? {} : { params }),
        ...(body === undefined ? {} : { body: wholeBody(body) }),
      },
    }
  }
  if (typeof resource !== "string" || typeof instance !== "string") return undefined
  const file = `apis/${api}/requests/${resource}/${instance}.json`
  const { version: _, ...request } = contentOf(files.find((one) => one.file === file))
  return Object.keys(request).length === 0 ? undefined : { api, request }
}

function contentOf(file: PlannedFile | undefined): JsonObject {
  const parsed = file?.is === "text" ? parseJson(file.text) : undefined
  return parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : {}
}

function objectIn(value: JsonObject, field: string): JsonObject {
  const inner = ownOf(value, field)
  return inner !== undefined && isJsonObject(inner) ? inner : {}
}

/** The import may put requests into groups. */
function firstBlock(content: JsonObject): JsonObject {
  const { blocks } = content
  const [first] = Array.isArray(blocks) ? (blocks as readonly JsonValue[]) : []
  if (first === undefined || !isJsonObject(first)) return {}
  return "blocks" in first ? firstBlock(first) : first
}

/** Overrides name the fields of a body by their paths, of which the import writes only those of one step. */
function wholeBody(overrides: JsonValue): JsonValue {
  if (!isJsonObject(overrides)) return overrides
  return Object.fromEntries(
    Object.entries(overrides).map(([path, value]) => {
      const parsed = parsePath(path)
      return [(parsed.ok ? parsed.segments[0] : undefined) ?? path, value]
    }),
  )
}

function baseUrlIn(file: PlannedFile): string | undefined {
  const { baseUrl } = contentOf(file)
  return typeof baseUrl === "string" ? baseUrl : undefined
}
