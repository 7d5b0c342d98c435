// Splits a document into many files: one for each path and for each schema, with references between them.

import { dump } from "js-yaml"
import { isObject, objectAt, type Raw } from "../raw-document.ts"

export interface SplitDocument {
  readonly text: string
  readonly others: ReadonlyMap<string, string>
}

export function splitDocument(root: Raw): SplitDocument {
  const isOld = root["swagger"] === "2.0"
  const schemas = isOld ? objectAt(root, "definitions") : objectAt(objectAt(root, "components"), "schemas")
  const files = new Map<string, string>()
  const schemasAt = isOld ? "#/definitions/" : "#/components/schemas/"
  const write = (file: string, content: unknown) =>
    files.set(
      file,
      dump(rewritten(content, { schemasAt, folder: file.split("/")[0] ?? "" }), { noRefs: true }),
    )
  for (const [name, schema] of Object.entries(schemas)) write(`schemas/${fileName(name)}`, schema)
  const paths = Object.entries(objectAt(root, "paths")).map(([path, item], index) => {
    write(`paths/path${index}.yaml`, item)
    return [path, { $ref: `./paths/path${index}.yaml` }] as const
  })
  const referred = Object.fromEntries(
    Object.keys(schemas).map((name) => [name, { $ref: `schemas/${fileName(name)}` }]),
  )
  const { paths: _, definitions: __, components, ...rest } = root
  const main = {
    ...(rewritten(rest, { schemasAt, folder: "" }) as Raw),
    paths: Object.fromEntries(paths),
    ...(isOld ? { definitions: referred } : {}),
    ...(isObject(components)
      ? {
          components: {
            ...(rewritten({ ...components, schemas: {} }, { schemasAt, folder: "" }) as Raw),
            schemas: referred,
          },
        }
      : {}),
  }
  return { text: dump(main, { noRefs: true }), others: files }
}

const fileName = (name: string): string => `${name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}.yaml`

interface Place {
  readonly schemasAt: string
  /** The file's directory, relative to the document. */
  readonly folder: string
}

/** References and discriminator mappings, rewritten for a file in the directory. */
function rewritten(value: unknown, place: Place): unknown {
  if (typeof value === "string" && value.startsWith("#/")) return reference(value, place)
  if (Array.isArray(value)) return value.map((item) => rewritten(item, place))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rewritten(member, place)]))
}

function reference(text: string, { schemasAt, folder }: Place): string {
  const up = folder === "" ? "" : "../"
  if (!text.startsWith(schemasAt)) return folder === "" ? text : `${up}openapi.yaml${text}`
  const [name = "", ...rest] = text.slice(schemasAt.length).split("/")
  const file = fileName(decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"))
  const at = folder === "schemas" ? `./${file}` : `${up}schemas/${file}`
  return rest.length === 0 ? at : `${at}#/${rest.join("/")}`
}
