// A request block that calls an operation or a saved request, as JSON to paste into a workflow. Pure.

interface Target {
  readonly api: string
  readonly resource?: string | undefined
  readonly operation?: string
  readonly instance?: string
  /** `/orders/{orderId}` */
  readonly path?: string
}

export interface Snippet {
  readonly text: string
  /** Path parameters, which stand in it as tokens to be replaced. */
  readonly parameters: readonly string[]
}

export function blockSnippet({ api, resource, operation, instance, path = "" }: Target): Snippet {
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name)
  const values = Object.fromEntries(parameters.map((name) => [name, `{{${tokenName(name)}}}`]))
  const block = {
    id: blockId(operation ?? instance ?? "request"),
    type: "request",
    request: {
      api,
      resource,
      operation,
      instance: operation === undefined ? instance : undefined,
      overrides: parameters.length === 0 ? undefined : { params: { path: values } },
    },
  }
  return { text: JSON.stringify(block, undefined, 2), parameters }
}

/** What the format lets stand as an id: no dots, brackets, braces or control characters, and no leading `$`. */
function blockId(name: string): string {
  const id = name
    .replace(/^(\S+) (\/.*)$/, (_, method: string, path: string) => `${method.toLowerCase()}${path}`)
    .replace(/[.[\]{}\s/\u0000-\u001f\u007f-\u009f]+/g, "-")
    .replace(/^[$-]+|-+$/g, "")
  return id === "" ? "request" : id.slice(0, 80)
}

/** A token is a path: what would end a name in it is left out. */
const tokenName = (name: string): string => name.replace(/[.[\]{}\s]+/g, "-")
