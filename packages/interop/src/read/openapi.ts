// Reads an OpenAPI document without a collection: a new API with an environment for each of its servers.

import { isJsonObject, ownOf, type JsonObject, type JsonValue } from "@callsheet/format"
import type { Collection, SourceEnvironment, Variable } from "../model.ts"
import { plainText } from "../text.ts"
import { list, object, text } from "./json.ts"

export const isOpenApi = (value: JsonValue): boolean =>
  text(value, "openapi") !== undefined || text(value, "swagger") !== undefined

/** The variable of the collection that holds the base URL. */
const BASE_URL = "baseUrl"

export function readOpenApi(value: JsonValue, file: string): Collection {
  const name = text(object(value, "info"), "title") ?? "api"
  return {
    source: "openapi",
    root: { kind: "folder", name, where: file, scripts: [], items: [] },
    variables: credentialsIn(value),
    environments: serversIn(value),
    losses: [],
  }
}

function serversIn(value: JsonValue): readonly SourceEnvironment[] {
  const host = text(value, "host")
  const schemes = list(value, "schemes")
  const swagger =
    host === undefined
      ? []
      : [
          `${schemes.includes("http") && !schemes.includes("https") ? "http" : "https"}://${host}${text(value, "basePath") ?? ""}`,
        ]
  const servers = list(value, "servers").map((server) => ({
    url: fillVariables(text(server, "url") ?? "", object(server, "variables") ?? {}),
    description: text(server, "description"),
  }))
  return [...servers, ...swagger.map((url) => ({ url, description: undefined }))]
    .filter(({ url }) => /^https?:\/\/[^{}]+$/i.test(url))
    .map(({ url, description }) => ({
      name:
        description !== undefined && description.length <= MAX_NAME
          ? description
          : url.replace(/^https?:\/\//i, ""),
      variables: [{ name: BASE_URL, value: plainText(url.replace(/(?<!\/)\/+$/, "")) }],
    }))
}

/** A longer description is a sentence, not a name. */
const MAX_NAME = 40

const fillVariables = (url: string, variables: JsonObject): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => text(ownOf(variables, name), "default") ?? whole)

/** Declares a secret for each security scheme, under the name that callsheet reads. */
function credentialsIn(value: JsonValue): readonly Variable[] {
  const schemes =
    object(object(value, "components"), "securitySchemes") ?? object(value, "securityDefinitions") ?? {}
  return Object.entries(schemes).flatMap(([name, scheme]) =>
    isJsonObject(scheme) ? [{ name, value: undefined, isSecret: true }] : [],
  )
}
