// Converts a 3.1 document to 3.2: the same, plus 3.2's methods and references to media types.

import { isObject, objectAt, type Raw } from "../raw-document.ts"

/** Each `get` is also a `query`, each `delete` also a `PURGE`, and media types of responses are references. */
export function asVersion32(root: Raw): Raw {
  const mediaTypes: Record<string, unknown> = {}
  const paths = Object.entries(objectAt(root, "paths")).map(([path, item]) => {
    const { get, delete: remove, ...rest } = isObject(item) ? item : {}
    return [
      path,
      {
        ...rest,
        ...(isObject(get) ? { get: referring(get, mediaTypes), query: renamed(get, "query") } : {}),
        ...(isObject(remove)
          ? { delete: remove, additionalOperations: { PURGE: renamed(remove, "purge") } }
          : {}),
      },
    ] as const
  })
  const components = { ...objectAt(root, "components"), mediaTypes }
  return { ...root, openapi: "3.2.0", paths: Object.fromEntries(paths), components }
}

const renamed = (operation: Raw, suffix: string): Raw => ({
  ...operation,
  operationId: `${String(operation["operationId"])}-${suffix}`,
})

function referring(operation: Raw, mediaTypes: Record<string, unknown>): Raw {
  const responses = Object.entries(objectAt(operation, "responses")).map(([status, response]) => {
    if (!isObject(response) || !isObject(response["content"])) return [status, response] as const
    const content = Object.entries(response["content"]).map(([type, media]) => {
      const name = `media${Object.keys(mediaTypes).length}`
      mediaTypes[name] = media
      return [type, { $ref: `#/components/mediaTypes/${name}` }] as const
    })
    return [status, { ...response, content: Object.fromEntries(content) }] as const
  })
  return { ...operation, responses: Object.fromEntries(responses) }
}
