// A request block for an operation or a saved request, as JSON to paste into a workflow. Pure.

import { objectIn } from "../files/text/object-in.ts"
import { type JsonObject } from "@callsheet/format"

export interface SnippetTarget {
  readonly api: string
  readonly resource?: string | undefined
  readonly operation?: string
  readonly instance?: string
  /** Such as `/orders/{orderId}`. */
  readonly path?: string
  /** The values to send instead of placeholders. */
  readonly overrides?: JsonObject | undefined
}

export interface Snippet {
  readonly text: string
  /** Path parameters. They become placeholders for the user to replace. */
  readonly parameters: readonly string[]
}

export function blockSnippet(target: SnippetTarget): Snippet {
  const { api, resource, operation, instance, path = "", overrides } = target
  const params = objectIn(overrides, "params")
  const given = objectIn(params, "path")
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !Object.hasOwn(given, name))
  const values = Object.fromEntries(parameters.map((name) => [name, `{{${tokenName(name)}}}`]))
  const block = {
    id: blockId(operation ?? instance ?? "request"),
    type: "request",
    request: {
      api,
      resource,
      operation,
      instance: operation === undefined ? instance : undefined,
      overrides:
        parameters.length === 0
          ? overrides
          : { ...overrides, params: { ...params, path: { ...given, ...values } } },
    },
  }
  return { text: JSON.stringify(block, undefined, 2), parameters }
}

/** Removes characters that an id can't contain: dots, brackets, braces, control characters, and a leading `$`. */
function blockId(name: string): string {
  const id = name
    .replace(/^(\S+) (\/.*)$/, (_, method: string, path: string) => `${method.toLowerCase()}${path}`)
    .replace(/[.[\]{}\s/\u0000-\u001f\u007f-\u009f]+/g, "-")
    .replace(/^[$-]+|-+$/g, "")
  return id === "" ? "request" : id.slice(0, 80)
}

/** Removes the characters that would end a name in a path. */
const tokenName = (name: string): string => name.replace(/[.[\]{}\s]+/g, "-")
