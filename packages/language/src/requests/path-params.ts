// The parameters in the template of a path.

import { parseTemplateOnce, suggest, type Finding, type RequestBlock } from "@callsheet/format"

/** The names in a template, tokens of a saved request's path left out. */
export const pathParams = (path: string): readonly string[] =>
  [...literalPath(path).matchAll(/\{([^{}]+)\}/g)].flatMap((match) => match[1] ?? [])

/** The path parameters that a block gives and the template of the path lacks. */
export function unknownPathParams(
  { request }: RequestBlock,
  path: string,
): readonly { readonly name: string; readonly finding: Finding }[] {
  const names = pathParams(path)
  return Object.keys(request.overrides?.params?.path ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      name,
      finding: {
        code: "field-unknown",
        message: `the path ${path} has no parameter "${name}"`,
        hint: suggest(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`),
      },
    }))
}

/** The template without what tokens give. */
function literalPath(path: string): string {
  const template = parseTemplateOnce(path)
  if (!template.ok || !template.hasTokens) return path
  return template.parts.filter((part) => typeof part === "string").join("")
}
