// The names of the scripting APIs of Postman, Insomnia and Bruno. Insomnia's are those of Postman after `insomnia.`.

import type { Script } from "../model.ts"
import type { ResponsePath } from "./checks.ts"

const postmanRoots: Readonly<Record<string, ResponsePath>> = {
  "pm.response.code": ["status"],
  "pm.response.responseTime": ["durationMs"],
  "pm.response.json()": ["body"],
  "responseCode.code": ["status"],
  responseTime: ["durationMs"],
}

export const roots: Readonly<Record<Script["dialect"], Readonly<Record<string, ResponsePath>>>> = {
  pm: postmanRoots,
  insomnia: postmanRoots,
  bru: {
    "res.status": ["status"],
    "res.getStatus()": ["status"],
    "res.responseTime": ["durationMs"],
    "res.getResponseTime()": ["durationMs"],
    "res.body": ["body"],
    "res.getBody()": ["body"],
    "res.headers": ["headers"],
    "res.getHeaders()": ["headers"],
  },
}

const scopes = ["environment", "collectionVariables", "globals", "variables", "baseEnvironment"]

export const setters = new Set([
  ...scopes.map((scope) => `pm.${scope}.set`),
  ...["setEnvironmentVariable", "setGlobalVariable"].map((name) => `postman.${name}`),
  ...["setVar", "setEnvVar", "setGlobalEnvVar", "setCollectionVar"].map((name) => `bru.${name}`),
])
export const getters = new Set([
  ...scopes.map((scope) => `pm.${scope}.get`),
  ...["getEnvironmentVariable", "getGlobalVariable"].map((name) => `postman.${name}`),
  ...["Var", "EnvVar", "GlobalEnvVar", "CollectionVar", "FolderVar", "RequestVar"].map(
    (name) => `bru.get${name}`,
  ),
])
/** Functions that return whether a variable has a value. */
export const holders = new Set([
  ...scopes.map((scope) => `pm.${scope}.has`),
  ...["Var", "EnvVar"].map((name) => `bru.has${name}`),
])
export const headerGetters = new Set([
  "pm.response.headers.get",
  "postman.getResponseHeader",
  "res.getHeader",
])
export const headerHolders = new Set(["pm.response.headers.has"])
export const expectations = new Set(["pm.expect", "expect"])
export const testers = new Set(["pm.test", "test"])
/** Texts with placeholders, which these functions replace. */
export const replacers = new Set(["pm.variables.replaceIn", "bru.interpolate"])
export const bodyTexts = new Set(["pm.response.text"])

/** Calls that change the order of requests or remove variables. Tests don't depend on them, but callsheet doesn't do it. */
export const flowCalls = new Set([
  ...scopes.flatMap((scope) => [`pm.${scope}.unset`, `pm.${scope}.clear`]),
  ...["Environment", "Global"].flatMap((kind) => [
    `postman.clear${kind}Variable`,
    `postman.clear${kind}Variables`,
  ]),
  "bru.deleteVar",
  "bru.deleteEnvVar",
  "pm.setNextRequest",
  "pm.execution.setNextRequest",
  "postman.setNextRequest",
  "bru.setNextRequest",
  "bru.runner.setNextRequest",
])

/** Words of a chain that have no effect. */
export const fillers = new Set(
  "to be been is that which and has have with at of same but does still also".split(" "),
)

/** The names of statuses that Postman knows, by the text of `pm.response.to.have.status`. */
const statusNames: ReadonlyMap<string, number> = new Map(
  `200 OK|201 Created|202 Accepted|203 Non-Authoritative Information|204 No Content|205 Reset Content|206 Partial Content
  300 Multiple Choices|301 Moved Permanently|302 Found|303 See Other|304 Not Modified|307 Temporary Redirect
  308 Permanent Redirect|400 Bad Request|401 Unauthorized|402 Payment Required|403 Forbidden|404 Not Found
  405 Method Not Allowed|406 Not Acceptable|407 Proxy Authentication Required|408 Request Timeout|409 Conflict|410 Gone
  411 Length Required|412 Precondition Failed|413 Payload Too Large|415 Unsupported Media Type|417 Expectation Failed
  418 I'm a Teapot|422 Unprocessable Entity|423 Locked|424 Failed Dependency|428 Precondition Required
  429 Too Many Requests|500 Internal Server Error|501 Not Implemented|502 Bad Gateway|503 Service Unavailable
  504 Gateway Timeout`
    .split(/\n|\|/)
    .map((line) => [line.trim().slice(4), Number(line.trim().slice(0, 3))] as const),
)

/** Returns the status of a name. callsheet has no reason phrases, so other names can't be checked. */
export const statusOf = (name: string): number | undefined => statusNames.get(name)

/** The properties of `pm.response.to.be` that mean one status. */
export const statusWords: Readonly<Record<string, number>> = {
  ok: 200,
  accepted: 202,
  withoutContent: 204,
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  rateLimited: 429,
}

/** The properties of `pm.response.to.be` that mean a range of statuses: the first, and the one after the last. */
export const statusRanges: Readonly<Record<string, readonly [from: number, below: number]>> = {
  info: [100, 200],
  success: [200, 300],
  redirection: [300, 400],
  clientError: [400, 500],
  serverError: [500, 600],
  error: [400, 600],
}
