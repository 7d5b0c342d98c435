// What a request block sends, held against what its operation takes: path, parameters, body.

import { parseTemplateOnce, suggest, type Finding, type RequestBlock } from "@callsheet/format"
import { checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import { givenParam, type OperationCheck, type RequestCheck } from "./given-request.ts"

/** Reports what the request of a block lacks, and what its operation does not know. */
export function checkRequest(check: RequestCheck): void {
  checkPathParams(check)
  const { target, document } = check
  if (target.operation === undefined || document === undefined) return
  const known: OperationCheck = { ...check, document, operation: target.operation }
  checkParameters(known)
  checkBody(known)
}

function checkPathParams({ block, target, report }: RequestCheck): void {
  for (const { name, finding } of unknownPathParams(block, target.path))
    report(["request", "overrides", "params", "path", name], "key", finding)
  for (const name of new Set(pathParams(target.path))) {
    const given = givenParam({ block, target }, "path", name)
    if (given !== undefined && given.text !== "") continue
    report(given?.isSaved === false ? given.pointer : ["request"], "value", {
      code: "path-param-missing",
      message: `the path ${target.path} needs a value for "${name}"`,
      hint: `give it in request.overrides.params.path.${name}`,
    })
  }
}

const pathParams = (path: string): readonly string[] =>
  [...literalPath(path).matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!)

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
