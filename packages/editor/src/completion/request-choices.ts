// The names and values that a request of a workflow, or a saved request, can contain: from the project and the documents.

import { stringifyJson, type JsonValue, type Shape, type ValueType } from "@callsheet/format"
import { typeWords } from "@callsheet/language"
import { ofResource, type Operation } from "@callsheet/openapi"
import { typedText, valuePointer, type JsonSpot } from "../known/json-file.ts"
import { operationOf, searchOperations, type TargetNames } from "../known/operations.ts"
import { bodyTypeIn, requestAt, type RequestPlace } from "../known/request-place.ts"
import {
  bodyPaths,
  listedValues,
  membersOfType,
  parametersIn,
  wordsOf,
  type RequestPart,
} from "../known/request-types.ts"
import { itemKinds, type Choice } from "./choice.ts"

/** Returns the keys of parameters and of parts of the body. */
export async function requestKeys(spot: JsonSpot): Promise<readonly Choice[]> {
  const place = requestAt(spot, spot.place.parent)
  const [first] = place?.field ?? []
  if (place === undefined || (first !== "params" && first !== "body")) return []
  const operation = await operationOf(spot.view, place.names)
  if (operation === undefined) return []
  const taken = new Set(spot.place.takenKeys)
  return partsAt(operation, place)
    .filter(({ name }) => !taken.has(name))
    .flatMap((part) => keyChoice(part, first === "params", spot))
}

function partsAt(operation: Operation, place: RequestPlace): readonly RequestPart[] {
  const [first, where, ...more] = place.field
  if (first === "params")
    return more.length === 0 && where !== undefined ? parametersIn(operation, String(where)) : []
  if (!place.isSaved && where === undefined) return bodyPaths(operation)
  const type = bodyTypeIn(operation, place)
  return type === undefined ? [] : membersOfType(type)
}

function keyChoice(part: RequestPart, isText: boolean, spot: JsonSpot): readonly Choice[] {
  const { text } = spot.view.masker()
  // A name that contains a secret would be written masked.
  if (text(part.name) !== part.name) return []
  return [
    {
      label: part.name,
      kind: itemKinds.field,
      detail: text(wordsOf(part)),
      documentation: part.description && text(part.description),
      write: {
        is: "key",
        after: listedShape(part.type, spot) ?? (isText ? textShape : shapeOfType(part.type)),
      },
    },
  ]
}

const textShape: Shape = { is: "string" }

/** Returns the shape of a list of texts, without those that contain a secret. */
function listedShape(type: ValueType | undefined, { view }: JsonSpot): Shape | undefined {
  const { occursIn } = view.masker()
  const values = type?.values?.filter((value) => typeof value === "string" && !occursIn(value)) ?? []
  const texts = values.filter((value) => typeof value === "string")
  return texts.length === 0 || texts.length !== type?.values?.length
    ? undefined
    : { is: "enum", values: texts }
}

function shapeOfType(type: ValueType | undefined): Shape {
  const [kind, ...others] = type?.kinds ?? []
  if (kind === undefined || others.length > 0 || kind === "number") return { is: "any" }
  if (kind === "object") return { is: "map", values: { is: "any" } }
  if (kind === "array") return { is: "array", items: () => ({ is: "any" }) }
  return { is: kind }
}

export interface FoundChoices {
  readonly choices: readonly Choice[]
  /** True if more typing may find others. */
  readonly isIncomplete?: boolean
}

const none: FoundChoices = { choices: [] }

/** Returns the names of APIs, resources, operations and saved requests, and the values of parameters and of the body. */
export async function requestValues(spot: JsonSpot): Promise<FoundChoices> {
  const place = requestAt(spot, valuePointer(spot))
  const [field, ...rest] = place?.field ?? []
  if (place === undefined) return none
  if (rest.length > 0 || field === "body") return { choices: await partValues(spot, place) }
  switch (field) {
    case "api":
      return { choices: place.isSaved ? [] : apiChoices(spot) }
    case "operation":
      return operationChoices(spot, place.names)
    case "resource":
      return { choices: place.isSaved ? [] : await resourceChoices(spot, place.names) }
    case "instance":
      return { choices: place.isSaved ? [] : savedRequestChoices(spot, place.names) }
    default:
      return none
  }
}

export const apiChoices = ({ view }: JsonSpot): readonly Choice[] =>
  view.project.apiNames.map((name) => nameChoice(name, { kind: itemKinds.module }))

export const nameChoice = (label: string, more: Partial<Choice> & Pick<Choice, "kind">): Choice => ({
  label,
  write: { is: "value", value: label },
  ...more,
})

/** More than anyone reads. Typing finds the others. */
const MAX_OPERATIONS = 200

async function operationChoices(spot: JsonSpot, names: TargetNames | undefined): Promise<FoundChoices> {
  const { view, file } = spot
  const api = names?.api
  const document = api === undefined ? undefined : (await view.source(api))?.document
  if (document === undefined) return none
  const { text } = view.masker()
  const typed = typedText(spot)
  const resource = file.is.kind === "workflow" ? names?.resource : undefined
  const all = searchOperations(document, typed)
  const own =
    resource &&
    new Set(
      ofResource(
        all.map(({ operation }) => operation),
        resource,
      ),
    )
  const found = all.filter(({ operation }) => !own || own.has(operation))
  const choices = found.slice(0, MAX_OPERATIONS).map(({ operation, written }) => {
    const { method, path, summary = "" } = operation
    const search = `${written} ${method} ${path} ${text(summary)}`
    return nameChoice(written, {
      kind: itemKinds.method,
      detail: `${method} ${path}`,
      // Words in another order, which this search finds, don't match the text as it is.
      search:
        typed === "" || search.toLowerCase().startsWith(typed.toLowerCase()) ? search : `${typed} ${search}`,
      data: { uri: file.uri, api, operation: written },
    })
  })
  return { choices, isIncomplete: true }
}

async function resourceChoices(
  { view }: JsonSpot,
  names: TargetNames | undefined,
): Promise<readonly Choice[]> {
  if (names === undefined) return []
  const source = await view.source(names.api)
  const own = await operationOf(view, { ...names, resource: undefined })
  const listed = source?.document === undefined ? [] : searchOperations(source.document, "")
  const documented = own?.resources ?? listed.flatMap(({ operation }) => operation.resources)
  const saved = [...(source?.api.instances.values() ?? [])].map(({ resource }) => resource)
  return [...new Set([...documented, ...saved])].map((name) => nameChoice(name, { kind: itemKinds.module }))
}

function savedRequestChoices({ view }: JsonSpot, names: TargetNames | undefined): readonly Choice[] {
  const instances = [...(view.project.apis.get(names?.api ?? "")?.instances.values() ?? [])]
  return instances
    .filter(({ resource }) => names?.resource === undefined || resource === names.resource)
    .map(({ name, resource, request }) => {
      const target = request?.operation ?? (request === undefined ? "" : `${request.method} ${request.path}`)
      return nameChoice(name, {
        kind: itemKinds.file,
        detail: [resource, target].filter((part) => part !== "").join(" · "),
        documentation:
          request?.description === undefined ? undefined : view.masker().text(request.description),
      })
    })
}

/** The values that the document lists for a parameter or a part of the body. */
async function partValues(spot: JsonSpot, place: RequestPlace): Promise<readonly Choice[]> {
  const operation = await operationOf(spot.view, place.names)
  const [first, where, name, ...more] = place.field
  if (operation === undefined) return []
  if (first === "body") return typeChoices(bodyTypeIn(operation, place), spot)
  if (first !== "params" || more.length > 0) return []
  const part = parametersIn(operation, String(where)).find((one) => one.name === name)
  return typeChoices(part?.type, spot, (value) => (typeof value === "string" ? value : stringifyJson(value)))
}

/** Returns the values that a type lists. Leaves out those that contain a secret. */
export function typeChoices(
  type: ValueType | undefined,
  { view }: JsonSpot,
  write: (value: JsonValue) => JsonValue = (value) => value,
): readonly Choice[] {
  if (type === undefined) return []
  const { occursIn, text } = view.masker()
  const words = text(typeWords(type))
  return listedValues(type).flatMap((value): readonly Choice[] => {
    const label = typeof value === "string" ? value : stringifyJson(value)
    if (occursIn(label)) return []
    return [{ label, kind: itemKinds.enumMember, detail: words, write: { is: "value", value: write(value) } }]
  })
}
