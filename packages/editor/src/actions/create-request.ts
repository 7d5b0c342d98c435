// Creates the saved request that a block names.

import {
  checkFreeName,
  didYouMean,
  hasTokens,
  jsonPlaceAt,
  locateJson,
  member,
  valueAt,
} from "@callsheet/format"
import { newRequestText, type ApiSource } from "@callsheet/language"
import { findOperation, listOperations, slug } from "@callsheet/openapi"
import { forCodes, type ActionRequest, type Offer } from "./action.ts"

export const createRequest = forCodes(
  ["instance-unknown"],
  async (diagnostic, request): Promise<readonly Offer[]> => {
    const { view } = request.place
    const target = targetAt(request, request.place.file.offsetAt(diagnostic.range.start))
    const source = target && (await view.source(target.api))
    if (target === undefined || source === undefined) return []
    const { name } = target
    const operation = operationFor(source, target)
    const resources = resourcesFor(source, target, operation)
    const isNew = [...source.api.instances.values()].every(
      (file) => file.name !== name || !resources.includes(file.resource),
    )
    const [resource, ...others] = resources
    if (!isNew || resource === undefined || others.length > 0) return []
    if (checkFreeName(name) !== undefined || checkFreeName(resource) !== undefined) return []
    const file = `apis/${target.api}/requests/${resource}/${name}.json`
    return [
      {
        title: `Create the saved request ${resource}/${name}`,
        kind: "quickfix",
        diagnostic,
        texts: [
          {
            file,
            before: null,
            after: newRequestText(operation === undefined ? { method: "GET", path: "/" } : { operation }),
          },
        ],
      },
    ]
  },
)

interface Target {
  readonly api: string
  readonly name: string
  readonly resource: string | undefined
  readonly operation: string | undefined
}

function targetAt({ place }: ActionRequest, at: number): Target | undefined {
  const { text } = place.file
  // Another file is created, so this one may have a syntax error elsewhere.
  const request = valueAt(locateJson(text).value ?? null, jsonPlaceAt(text, at).pointer.slice(0, -1))
  const [api, name] = [textIn(request, "api"), textIn(request, "instance")]
  if (api === undefined || name === undefined) return undefined
  return { api, name, resource: textIn(request, "resource"), operation: textIn(request, "operation") }
}

function textIn(owner: Parameters<typeof member>[0], key: string): string | undefined {
  const text = member(owner, key)
  return typeof text === "string" && !hasTokens(text) ? text : undefined
}

/** Returns the operation that the block names, else one that is named like the saved request. */
function operationFor({ document }: ApiSource, { name, resource, operation }: Target): string | undefined {
  if (operation !== undefined || document === undefined) return operation
  const names = listOperations(document).flatMap((each) => each.name)
  const similar = names.find((each) => slug(each) === slug(name)) ?? didYouMean(name, names)
  const found = similar === undefined ? undefined : findOperation(document, { operation: similar, resource })
  return found?.status === "found" ? similar : undefined
}

/** Returns the directories where the file can be: that of the block, else that of the operation's tag, else all. */
function resourcesFor(
  { document, api }: ApiSource,
  { resource }: Target,
  operation: string | undefined,
): readonly string[] {
  if (resource !== undefined) return [resource]
  const found =
    operation === undefined || document === undefined ? undefined : findOperation(document, { operation })
  const tag = found?.status === "found" ? found.operation.tags[0] : undefined
  if (tag !== undefined) return [slug(tag)]
  const known = [...new Set([...api.instances.values()].map((file) => file.resource))]
  return known.length === 0 ? ["requests"] : known
}
