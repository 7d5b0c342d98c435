// Makes the body of a request: values of the document, and identifiers of other resources.

import {
  asciiSlug,
  formatPath,
  isJsonArray,
  isJsonObject,
  memo,
  ownOf,
  resolveSegments,
  setOwn,
  setPath,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import {
  createSampler,
  findReference,
  hasKnownValues,
  inferResources,
  isForeignIdentifier,
  isGenericName,
  namedExamplesOf,
  referringField,
  requestBodyOf,
  requestMedia,
  scalarsIn,
  schemaType,
  successBody,
  typeAt,
  type MediaType,
  type Operation,
  type Sample,
  type Sampler,
  type Steps,
} from "@callsheet/openapi"
import {
  filterSampler,
  fullSampler,
  requestName,
  resourceOf,
  sampler,
  takesPassword,
  tokenIn,
} from "./ground.ts"
import { generateTexts } from "./texts.ts"
import {
  fieldsOf,
  inputType,
  type Call,
  type Draft,
  type DraftedBody,
  type SentField,
} from "./draft-parts.ts"

const none: DraftedBody = { overrides: undefined, instance: undefined, fields: [] }

type Notes = (string | undefined)[]

/** Returns the body, or the reason why there is none. */
export function draftBody(draft: Draft, call: Call, notes: Notes): DraftedBody | string {
  const { operation } = call
  const body = requestBodyOf(operation)
  const media = requestMedia(operation)
  if (body === undefined || media === undefined) return none
  const { kind, mediaType } = media
  if (kind === undefined) return fileBody(draft, operation, mediaType)
  const { sample, isPadded } = sampleBody(operation)
  const value = call.body ?? (sample.isDecided ? sample.value : undefined)
  if (kind === "text") return textBody(draft, operation, { value, mediaType })
  if (value === undefined)
    return body.required && !sample.isDecided ? generateTexts.noBody(sample.reason) : none
  const kinds = new Map<JsonValue, SentField["kinds"]>()
  const filled = fillValues(draft, call, { value, media, notes, isPadded, kinds })
  const parts = kind === "multipart" && isJsonObject(filled) ? withFiles(draft, filled, media) : filled
  if (!isJsonObject(parts)) return savedBody(draft, operation, { bodyType: "json", body: parts })
  // An empty object has no fields to override.
  if (Object.keys(parts).length === 0)
    return body.required ? savedBody(draft, operation, { bodyType: kind, body: parts }) : none
  const overrides: Record<string, JsonValue> = {}
  for (const [name, inner] of Object.entries(parts)) setOwn(overrides, formatPath([name]), inner)
  return { overrides, instance: undefined, fields: kind === "json" ? withKinds(parts, kinds) : [] }
}

const noSample: Sample = { isDecided: false, pointer: "", reason: "the document has no schema for it" }

/** The maximum number of optional fields in a body that requires none. */
const MAX_PADDING = 5

/** Returns a sample. If nothing is required, an empty body would be valid but say nothing, so it gets simple fields. */
const sampleBody = memo((operation: Operation): { readonly sample: Sample; readonly isPadded: boolean } => {
  const media = requestMedia(operation)
  if (media === undefined) return { sample: noSample, isPadded: false }
  const sample = samplerFor(operation).sampleMedia(media)
  if (!sample.isDecided || !isJsonObject(sample.value)) return { sample, isPadded: false }
  const required = Object.entries(sample.value)
  const isPadded = required.length === 0
  // A form has no way to write an empty object.
  const isWritable = media.kind !== "form" || !required.some(([, inner]) => isEmptyObject(inner))
  const full = isPadded || !isWritable ? fullSampler.sampleMedia(media) : undefined
  if (full?.isDecided !== true || !isJsonObject(full.value)) return { sample, isPadded: false }
  const all = full.value
  const entries = isPadded
    ? Object.entries(all).filter(([name, inner]) => isSimple(inner) && !isGenericName(name))
    : required.map(([name, inner]) => [name, isEmptyObject(inner) ? (ownOf(all, name) ?? inner) : inner])
  const value = Object.fromEntries(isPadded ? entries.slice(0, MAX_PADDING) : entries) as JsonObject
  return { sample: { isDecided: true, value }, isPadded }
})

const isEmptyObject = (value: JsonValue): boolean => isJsonObject(value) && Object.keys(value).length === 0

const isSimple = (value: JsonValue): boolean => value !== null && typeof value !== "object"

/** Returns the sampler for a body. An identifier that the client chooses is unique. */
function samplerFor(operation: Operation): Sampler {
  const role = inferResources(operation.document).roleOf(operation)
  const uniqueField = role?.role === "create" ? role.resource.identifier?.field : undefined
  return uniqueField === undefined
    ? sampler
    : createSampler({ direction: "request", isTemplate: true, uniqueField })
}

const withKinds = (value: JsonValue, kinds: ReadonlyMap<JsonValue, SentField["kinds"]>) =>
  fieldsOf(value).map((field) => ({ ...field, kinds: kinds.get(field.value) }))

interface Filling {
  /** Receives what each placeholder stands for. */
  readonly kinds: Map<JsonValue, SentField["kinds"]>
  /** True if every field is optional, so that one that can't be decided is left out. */
  readonly isPadded: boolean
  readonly value: JsonValue
  readonly media: MediaType
  readonly notes: Notes
}

/** Replaces the values that only the server or the environment knows. */
function fillValues(draft: Draft, call: Call, { value, media, notes, isPadded, kinds }: Filling): JsonValue {
  const { api, operation } = call
  const { schema } = media
  if (schema === undefined) return value
  const isExample = namedExamplesOf(media.value).length > 0
  if (tokenIn(operation) !== undefined && takesPassword(operation) && !isExample && isJsonObject(value))
    return withCredentials(draft, call, value, notes)
  const changed = api.model.roleOf(operation)?.resource
  const own = changed && draft.provided(changed)
  let filled = value
  const set = (steps: Steps, to: JsonValue): void => {
    const made = setPath(filled, steps, to)
    if (made.ok) filled = made.value
  }
  const sources: string[] = []
  for (const { steps, value: sample } of scalarsIn(value)) {
    if (typeof sample === "boolean" || sample === null || steps.length === 0) continue
    const isIdentifier = steps.length === 1 && steps[0] === changed?.identifier?.field
    if (isIdentifier && own?.isOwn === true && changed !== call.creates) {
      const token = `{{${own.source}}}`
      kinds.set(token, own.kinds)
      set(steps, token)
      continue
    }
    const field = referringField(schema, steps)
    const reference = findReference(draft.ground.modelsFor(api), field)
    const isOpen = !isExample && !hasKnownValues(field)
    const isUnique = typeof sample === "string" && sample.includes("{{$")
    // The name of a resource says less than an example does.
    const isWeak = reference?.isWeak === true && (isExample || isUnique || reference.resource === changed)
    const provided = reference && !isWeak ? draft.reference(reference, call, true) : undefined
    const name = formatPath(steps)
    if (provided !== undefined && reference !== undefined) {
      notes.push(generateTexts.isFrom(name, provided.source, reference.why, provided.resource.name))
      const token = `{{${provided.source}}}`
      kinds.set(token, provided.kinds)
      set(steps, token)
      if (provided.isOwn) sources.push(provided.block)
    } else if (isUnique && isForeignIdentifier(field.name) && !isOpen) {
      const plain = resolveSegments(plainSample(media), steps)
      if (plain.found) set(steps, plain.value)
    } else if (isPadded && isForeignIdentifier(field.name)) {
      filled = isJsonObject(filled) ? without(filled, steps[0]) : filled
    } else if (isOpen && isForeignIdentifier(field.name)) {
      const description = generateTexts.undecidedValue(name, operation)
      const type = inputType(field.schemas[0])
      const token = draft.input(field.name, { type, required: true, description })
      kinds.set(token, new Set([type]))
      set(steps, token)
    }
  }
  copyParts(draft, { blocks: sources, media, notes, filled, set })
  return filled
}

/** Returns the sample without unique values: the examples of the document. */
function plainSample(media: MediaType): JsonValue {
  const sample = filterSampler.sampleMedia(media)
  return sample.isDecided ? sample.value : null
}

const without = (value: JsonObject, name: string | undefined): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))

/** Replaces what a user signs in with: by variables of the environment, or by inputs. */
function withCredentials(draft: Draft, { api, operation }: Call, value: JsonObject, notes: Notes): JsonValue {
  const { variables } = api.api.environments
  const known = Object.keys(value).filter((name) => variables.has(name))
  if (known.length > 0) notes.push(generateTexts.isVariable(known))
  const entries = Object.entries(value).map(([name, inner]): [string, JsonValue] => {
    if (variables.has(name)) return [name, `{{${name}}}`]
    if (typeof inner !== "string") return [name, inner]
    const description = generateTexts.undecidedValue(name, operation)
    return [name, draft.input(name, { type: "string", required: true, description })]
  })
  return Object.fromEntries(entries)
}

interface Copying {
  /** The blocks that created what the body refers to. */
  readonly blocks: readonly string[]
  readonly media: MediaType
  readonly notes: Notes
  readonly filled: JsonValue
  readonly set: (steps: Steps, to: JsonValue) => void
}

/** Copies an object such as `amount` from what the body refers to, if only one of its parts has the same schema. */
function copyParts(draft: Draft, { blocks, media, notes, filled, set }: Copying): void {
  if (media.schema === undefined || !isJsonObject(filled) || namedExamplesOf(media.value).length > 0) return
  const type = schemaType(media.schema, "request")
  for (const [name, inner] of Object.entries(filled)) {
    const label = typeAt(type, [name])?.label
    if (!isJsonObject(inner) || label === undefined) continue
    if (hasKnownValues(referringField(media.schema, [name]))) continue
    const found = blocks.flatMap((block) => partsOfBlock(draft, block, label))
    const [only, ...others] = found
    if (only === undefined || others.length > 0) continue
    notes.push(generateTexts.isPart(name, only.source, label, only.resource))
    set([name], `{{${only.source}}}`)
  }
}

function partsOfBlock(draft: Draft, block: string, label: string) {
  const provided = [...draft.ground.apis]
    .flatMap(({ model }) => model.resources)
    .map((resource) => draft.provided(resource))
    .find((one) => one?.block === block)
  const create = provided?.resource.roles.create
  if (provided === undefined || create?.place === undefined) return []
  const item = typeAt(successBody(create.operation), create.place)
  return (item?.names() ?? [])
    .filter((name) => typeAt(item, [name])?.label === label)
    .map((name) => ({
      source: formatPath([block, "response", "body", ...(create.place ?? []), name]),
      resource: provided.resource.name,
    }))
}

interface SavedBody {
  readonly bodyType: "json" | "form" | "multipart" | "text" | "file"
  readonly body: JsonValue
  readonly contentType?: string | undefined
}

/** Saves a request, because overrides can only change the fields of an object. */
function savedBody(
  draft: Draft,
  operation: Operation,
  { bodyType, body, contentType }: SavedBody,
): DraftedBody {
  const api = draft.ground.apis.find(({ document }) => document === operation.document)
  const resource = resourceOf(operation)
  const name = asciiSlug(operation.name, "request")
  const params = contentType === undefined ? {} : { params: { header: { "Content-Type": contentType } } }
  const request = {
    version: 1,
    operation: api === undefined ? operation.name : requestName(api, operation),
    ...params,
    bodyType,
    body,
  }
  draft.files.push({ path: `apis/${api?.name}/requests/${resource}/${name}.json`, value: request })
  return { overrides: undefined, instance: { resource, name }, fields: [] }
}

function textBody(
  draft: Draft,
  operation: Operation,
  { value, mediaType }: { readonly value: JsonValue | undefined; readonly mediaType: string },
): DraftedBody {
  if (typeof value === "string") return savedBody(draft, operation, { bodyType: "text", body: value })
  const description = generateTexts.undecidedBody(mediaType, operation)
  const body = draft.input("body", { type: "string", required: true, description })
  return savedBody(draft, operation, { bodyType: "text", body })
}

function fileBody(draft: Draft, operation: Operation, mediaType: string): DraftedBody {
  const contentType = mediaType.includes("*") ? "application/octet-stream" : mediaType
  return savedBody(draft, operation, { bodyType: "file", body: sampleFile(draft), contentType })
}

/** A file to upload. Its content says nothing, because the document doesn't either. */
const SAMPLE_FILE = "files/sample.txt"

function sampleFile(draft: Draft): string {
  draft.files.push({ path: SAMPLE_FILE, text: "A sample file.\n" })
  return SAMPLE_FILE
}

/** Replaces the parts that the schema describes as bytes by a file. */
function withFiles(draft: Draft, value: JsonObject, { schema }: MediaType): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const first = isJsonArray(inner) ? inner[0] : inner
      if (typeof first !== "string" || schema === undefined) return [name, inner]
      const steps = isJsonArray(inner) ? [name, "0"] : [name]
      const isFile = referringField(schema, steps).schemas.some(
        (part) =>
          ["binary", "base64", "byte"].includes(part.text("format") ?? "") ||
          part.member("contentMediaType") !== undefined ||
          part.text("type") === "file",
      )
      if (!isFile) return [name, inner]
      const file = { file: sampleFile(draft) }
      return [name, isJsonArray(inner) ? [file] : file]
    }),
  )
}
