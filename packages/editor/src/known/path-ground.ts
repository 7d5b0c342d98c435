// What the names in a file mean: the sources of the rules that the app's page uses, too.

import {
  isJsonObject,
  memo,
  ownOf,
  valueAt,
  type BlockReport,
  type JsonObject,
  type JsonPointer,
} from "@callsheet/format"
import {
  blockPlaceAt,
  knownField,
  readsInBlock,
  readsInRequest,
  reportsOf,
  type KnownOperation,
  type PathReading,
  type PathSources,
  type Reads,
} from "@callsheet/language"
import { responseTypes, type Operation } from "@callsheet/openapi"
import type { Masker } from "@callsheet/server"
import type { Context } from "../context.ts"
import type { View } from "../project/view.ts"
import type { JsonSpot } from "./json-file.ts"
import { lastRuns } from "./last-run.ts"
import { operationOf, targetNames } from "./operations.ts"

export interface PathGround {
  readonly reading: PathReading
  readonly reads: Reads
  readonly sources: PathSources
}

/** Returns how the text at a pointer reads names. Undefined in files without placeholders. */
export function pathGround(spot: JsonSpot, pointer: JsonPointer, context: Context): PathGround | undefined {
  const { view } = spot
  const { is: file } = spot.file
  const sources = pathSources(view, context)
  const apis = view.project.apiNames.filter((name) => name !== "workflow")
  if (file.kind === "request")
    return {
      reading: { workflow: undefined, pointer: [], api: file.api, apis },
      reads: readsInRequest(pointer),
      sources,
    }
  const place = file.kind === "workflow" ? blockPlaceAt(pointer) : undefined
  if (file.kind !== "workflow" || place === undefined) return undefined
  const block = valueAt(spot.value(), place.block)
  const request = isJsonObject(block) ? ownOf(block, "request") : undefined
  const api = place.field[0] === "request" ? targetNames(request)?.api : undefined
  const workflow = { name: file.workflow, value: spot.value() }
  return { reading: { workflow, pointer: place.block, api, apis }, reads: readsInBlock(place.field), sources }
}

/** The texts of documents are not masked yet. */
function pathSources(view: View, context: Context): PathSources {
  return {
    variablesOf: (api) => Promise.resolve(variablesOf(view, api)),
    operationOf: async (block: JsonObject) => {
      const operation = await operationOf(view, targetNames(ownOf(block, "request")))
      return operation && knownOperation(operation)
    },
    seenOf: (workflow, id) => {
      const seen = lastRuns(context, view.root, workflow).map((run) => reportsOf(run, id))
      return Promise.resolve(maskedReports(seen.find((reports) => reports.length > 0) ?? [], view))
    },
  }
}

/** Masks today's secrets in whole values, because notes about values are cut. */
function maskedReports(reports: readonly BlockReport[], view: View): readonly BlockReport[] {
  const { value: mask, text } = view.masker()
  return reports.map(({ response, outputs, ...report }) => {
    const shown = outputs && mask(outputs)
    return {
      ...report,
      ...(isJsonObject(shown) ? { outputs: shown } : {}),
      ...(response === undefined ? {} : { response: maskedResponse(response, { mask, text }) }),
    }
  })
}

type Response = NonNullable<BlockReport["response"]>
type Masks = { readonly mask: Masker["value"]; readonly text: Masker["text"] }

function maskedResponse(response: Response, { mask, text }: Masks): Response {
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, value]) => [name, typeof value === "string" ? text(value) : value.map(text)] as const,
  )
  return {
    ...response,
    headers: Object.fromEntries<string | readonly string[]>(headers),
    ...(response.body === undefined ? {} : { body: mask(response.body) }),
  }
}

function variablesOf(view: View, api: string) {
  const show = view.masker().text
  const { variables } = view.project.apis.get(api)?.environments ?? { variables: new Map() }
  return [...variables].map(([name, { type, secret, description }]) => ({
    name,
    type,
    isSecret: secret === true,
    description: show(description ?? "").split("\n", 1)[0],
  }))
}

/** Kept with the operation. Callers mask what they show. */
const knownOperation = memo((operation: Operation): KnownOperation => ({
  responses: responseTypes(operation).map(({ status, headers, isStream, body }) => ({
    status,
    headers,
    isStream,
    body: body && knownField(body),
  })),
}))
