// The documentation of an operation, as hover and completion show it.

import { memberType } from "@callsheet/format"
import { typeWords } from "@callsheet/language"
import { parametersOf, requestBodyType, responseTypes, schemaType, type Operation } from "@callsheet/openapi"
import { list, MAX_ROWS, type Style } from "./markup.ts"

const MAX_TEXT = 2_000

type Show = (text: string) => string

/** Returns paragraphs. `show` masks secrets that a document may contain. */
export function describeOperation(
  operation: Operation,
  show: Show,
): (style: Style) => readonly (string | undefined)[] {
  const { method, path, summary, isDeprecated } = operation
  // Masks before it cuts: half a secret isn't found.
  const said = (text: string | undefined): string | undefined => text && show(text).slice(0, MAX_TEXT)
  return (style) => [
    `${style.strong(method)} ${style.code(show(path))}${isDeprecated ? " (deprecated)" : ""}`,
    summary && style.text(show(summary)),
    style.text(said(operation.text("description")) ?? ""),
    list(parameterRows(operation, show, style), "Parameters"),
    bodyRow(operation, show, style),
    list(responseRows(operation, show, style), "Responses"),
  ]
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? ""

function parameterRows(operation: Operation, show: Show, style: Style): readonly string[] {
  return parametersOf(operation).map((parameter) => {
    const schema = parameter.schema ?? parameter.content?.schema
    const words = schema === undefined ? "" : typeWords(schemaType(schema, "request"))
    const facts = [parameter.in, words, parameter.required ? "required" : ""].filter((fact) => fact !== "")
    return row(style.code(show(parameter.name)), facts.join(", "), {
      note: firstLine(show(parameter.description ?? "")),
      style,
    })
  })
}

function row(
  name: string,
  facts: string,
  { note, style }: { readonly note: string; readonly style: Style },
): string {
  const start = facts === "" ? name : `${name} (${style.text(facts)})`
  return note === "" ? start : `${start}: ${style.text(note)}`
}

function bodyRow(operation: Operation, show: Show, style: Style): string | undefined {
  const body = requestBodyType(operation)
  if (body === undefined) return undefined
  const words = show(typeWords(body.type))
  const required = body.type.required().filter((name) => memberType(body.type, name) !== undefined)
  const fields =
    required.length === 0
      ? ""
      : `, requires ${required
          .slice(0, MAX_ROWS)
          .map((name) => style.code(show(name)))
          .join(", ")}`
  return `Body: ${style.code(body.mediaType)}${words === "" ? "" : ` ${style.text(words)}`}${fields}`
}

const responseRows = (operation: Operation, show: Show, style: Style): readonly string[] =>
  responseTypes(operation).map(({ status, description, body }) =>
    row(style.code(status), body === undefined ? "" : show(typeWords(body)), {
      note: firstLine(show(description ?? "")),
      style,
    }),
  )
