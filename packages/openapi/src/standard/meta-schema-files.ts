// Loads the published schemas of OpenAPI documents, and says where each defines the kinds of objects.

import applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json" with { type: "json" }
import content from "ajv/dist/refs/json-schema-2020-12/meta/content.json" with { type: "json" }
import core from "ajv/dist/refs/json-schema-2020-12/meta/core.json" with { type: "json" }
import formatAnnotation from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json" with { type: "json" }
import metaData from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json" with { type: "json" }
import unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json" with { type: "json" }
import validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json" with { type: "json" }
import dialect from "ajv/dist/refs/json-schema-2020-12/schema.json" with { type: "json" }
import type { OpenApiVersion } from "../document/document.ts"
import type { ObjectKind } from "../document/object-kinds.ts"

export interface MetaSchemaFiles {
  /** The files by address. The address of the document's own schema is empty. */
  readonly files: Readonly<Record<string, unknown>>
  /** The definition of each kind: an address with a JSON pointer. */
  readonly definitions: Partial<Readonly<Record<ObjectKind, string>>>
}

export const loadMetaSchemaFiles = (version: OpenApiVersion): Promise<MetaSchemaFiles> => loaders[version]()

type Definitions = MetaSchemaFiles["definitions"]

/** Maps kinds to definitions of the same name, or of the name after a colon: `body:RequestBody`. */
const define = (path: string, kinds: string): Definitions => ({
  document: "#",
  ...Object.fromEntries(
    kinds.split(" ").map((kind) => {
      const [name = "", definition = name] = kind.split(":")
      return [name, `#/${path}/${definition}`]
    }),
  ),
})

async function load20(): Promise<MetaSchemaFiles> {
  const [own, draft4] = await Promise.all([
    import("@seriousme/openapi-schema-validator/schemas/v2.0/schema.json", { with: { type: "json" } }),
    import("ajv-draft-04/dist/refs/json-schema-draft-04.json", { with: { type: "json" } }),
  ])
  const kinds = "paths pathItem operation responses response header parameter schema item:primitivesItems"
  return {
    files: { "": own.default, "http://json-schema.org/draft-04/schema": draft4.default },
    definitions: {
      ...define("definitions", kinds),
      securityScheme: "#/definitions/securityDefinitions/additionalProperties",
    },
  }
}

const load30File = () =>
  import("@seriousme/openapi-schema-validator/schemas/v3.0/schema.json", { with: { type: "json" } })

async function load30(): Promise<MetaSchemaFiles> {
  const own = await load30File()
  const kinds =
    "components:Components paths:Paths pathItem:PathItem operation:Operation callback:Callback parameter:Parameter body:RequestBody responses:Responses response:Response header:Header media:MediaType encoding:Encoding schema:Schema discriminator:Discriminator securityScheme:SecurityScheme server:Server serverVariable:ServerVariable example:Example link:Link"
  return { files: { "": own.default }, definitions: define("definitions", kinds) }
}

/** The files of JSON Schema 2020-12, which ajv contains. */
const jsonSchema = [dialect, core, applicator, unevaluated, validation, metaData, formatAnnotation, content]

/** From 3.1 on, schemas are those of JSON Schema. Discriminators are as in 3.0. */
async function withJsonSchema(load: () => Promise<{ readonly default: unknown }>): Promise<MetaSchemaFiles> {
  const [own, old] = await Promise.all([load(), load30File()])
  const kinds =
    "components paths pathItem:path-item operation callback:callbacks parameter body:request-body responses response header media:media-type encoding securityScheme:security-scheme server serverVariable:server-variable example link"
  return {
    files: {
      "": own.default,
      "3.0": old.default,
      ...Object.fromEntries(jsonSchema.map((file) => [file.$id, file])),
    },
    definitions: {
      ...define("$defs", kinds),
      schema: `${dialect.$id}#`,
      discriminator: "3.0#/definitions/Discriminator",
    },
  }
}

const loaders: { readonly [V in OpenApiVersion]: () => Promise<MetaSchemaFiles> } = {
  "2.0": load20,
  "3.0": load30,
  "3.1": () =>
    withJsonSchema(
      () =>
        import("@seriousme/openapi-schema-validator/schemas/v3.1/schema.json", { with: { type: "json" } }),
    ),
  "3.2": () =>
    withJsonSchema(
      () =>
        import("@seriousme/openapi-schema-validator/schemas/v3.2/schema.json", { with: { type: "json" } }),
    ),
}
