// Reads an OpenAPI document without a collection: a new API with an environment for each of its servers.

import { isJsonObject, ownOf, type JsonObject, type JsonValue } from "@callsheet/format"
import type { Collection, SourceEnvironment, Variable } from "../model.ts"
import { plainText } from "../text.ts"
import { list, object, text } from "./json.ts"

export const isOpenApi = (value: JsonValue): boolean =>
  text(value, "openapi") !== undefined || text(value, "swagger") !== undefined

/** The variable of the collection that holds the base URL. */
const BASE_URL = "baseUrl"

/** Reads a document. `address` is the URL that it comes from, if there is one. Its servers may be relative to that. */
export function readOpenApi(value: JsonValue, file: string, address?: string): Collection {
  const name = text(object(value, "info"), "title") ?? "api"
  return {
    source: "openapi",
    root: { kind: "folder", name, where: file, scripts: [], items: [] },
    variables: credentialsIn(value),
    environments: serversIn(value, address),
    losses: [],
  }
}

interface Server {
  readonly url: string
  readonly description: string | undefined
}

function serversIn(value: JsonValue, address: string | undefined): readonly SourceEnvironment[] {
  const servers =
    text(value, "swagger") === undefined ? writtenServers(value) : swaggerServers(value, address)
  // Without servers, a document describes the server that it comes from.
  const given =
    servers.length === 0 && address !== undefined ? [{ url: "/", description: undefined }] : servers
  const whole = given
    .map(({ url, description }) => ({ url: resolved(url, address), description }))
    .filter(({ url }) => /^https?:\/\/[^{}]+$/i.test(url))
  const isContrast = whole.some((server) => levelOf(server) === "staging" || isLoopback(server.url))
  return whole.map((server) => {
    const level = levelOf(server) ?? (isContrast && isUnnamed(server) ? "production" : undefined)
    return {
      name: nameOf(server, level),
      level,
      variables: [{ name: BASE_URL, value: plainText(server.url.replace(/(?<!\/)\/+$/, "")) }],
    }
  })
}

const writtenServers = (value: JsonValue): readonly Server[] =>
  list(value, "servers").map((server) => ({
    url: fillVariables(text(server, "url") ?? "", object(server, "variables") ?? {}),
    description: text(server, "description")?.trim(),
  }))

function swaggerServers(value: JsonValue, address: string | undefined): readonly Server[] {
  const host = text(value, "host") ?? (address === undefined ? undefined : new URL(address).host)
  if (host === undefined) return []
  const schemes = list(value, "schemes")
  const own = address !== undefined && schemes.length === 0 ? new URL(address).protocol : "https:"
  const scheme = schemes.includes("http") && !schemes.includes("https") ? "http:" : own
  return [{ url: `${scheme}//${host}${text(value, "basePath") ?? ""}`, description: undefined }]
}

const resolved = (url: string, address: string | undefined): string =>
  address !== undefined && !/^[a-z][a-z\d+.-]*:|[{}]/i.test(url) && URL.canParse(url, address)
    ? new URL(url, address).href
    : url

/** A longer description is a sentence, not a name. */
const MAX_NAME = 40

const hasName = ({ description = "" }: Server): boolean =>
  description !== "" && description.length <= MAX_NAME

const hostOf = (url: string): string => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ""

const isLoopback = (url: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::\d+)?$/i.test(hostOf(url))

const isUnnamed = (server: Server): boolean => !hasName(server) && !isLoopback(server.url)

/** Returns the level that the description or the host says. Local servers need none. */
function levelOf(server: Server): "production" | "staging" | undefined {
  const words = hasName(server) ? (server.description ?? "") : hostOf(server.url)
  if (/\b(?:stage|staging|uat|pre-?prod|pre-?production)\b/i.test(words)) return "staging"
  return /\b(?:prod|production|live)\b/i.test(words) ? "production" : undefined
}

/** Returns the description, or what the server is. A host is not a name, because it may change. */
function nameOf(server: Server, level: "production" | "staging" | undefined): string {
  if (!hasName(server)) return level ?? (isLoopback(server.url) ? "local" : "default")
  const [, word] =
    /^(?:the )?(local|staging|production)(?: (?:server|environment|api|url))?\.?$/i.exec(
      server.description ?? "",
    ) ?? []
  return word?.toLowerCase() ?? server.description ?? ""
}

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
