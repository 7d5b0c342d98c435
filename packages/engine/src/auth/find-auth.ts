// Finds how to authorize a request by OAuth 2, digest or AWS Signature Version 4, from variables named after the scheme.

import {
  readBaseUrl,
  schemeVariable,
  serverUrl,
  type OAuthFlow,
  type OAuthScheme,
  type OpenApiDocument,
  type Operation,
  type SecurityScheme,
} from "@callsheet/openapi"
import type { ResolvedEnvironment } from "@callsheet/format"
import type { OAuthClient, RequestAuth } from "../ports.ts"
import type { RequestBase } from "../request/request-template.ts"
import { variableOf } from "../request/credentials.ts"
import { SecretBase } from "../outlet/secret-base.ts"

/** Creates a function that finds the authorization of a scheme. Undefined if a variable has no value. */
export function createAuthFinder(environment: ResolvedEnvironment, base: RequestBase) {
  return (scheme: SecurityScheme): RequestAuth | undefined => {
    const read = (suffix: string): string | undefined => {
      const text = String(variableOf(scheme.name + suffix, environment)?.value ?? "")
      return text === "" ? undefined : text
    }
    switch (scheme.kind) {
      case "digest":
        return digestOf(read(""))
      case "sigv4":
        return signatureOf(read)
      case "bearer":
        return scheme.oauth && oauthOf({ ...scheme, oauth: scheme.oauth, read, environment, base })
      default:
        return undefined
    }
  }
}

/** Returns the base URL of requests before they are built. Undefined if it isn't a valid URL. */
export function findBase(
  { variables }: ResolvedEnvironment,
  document: OpenApiDocument | undefined,
  operation: Operation | undefined,
): RequestBase | undefined {
  const url = variables.get("baseUrl")?.value ?? (document && serverUrl(document, operation))
  const base = readBaseUrl(String(url ?? ""))
  return base.ok ? { ...base.base, secret: undefined } : undefined
}

type VariableReader = (suffix: string) => string | undefined

function digestOf(value: string | undefined): RequestAuth | undefined {
  const colon = value?.indexOf(":") ?? -1
  if (value === undefined || colon === -1) return undefined
  return { kind: "digest", user: value.slice(0, colon), password: value.slice(colon + 1) }
}

function signatureOf(read: VariableReader): RequestAuth | undefined {
  const [accessKeyId, secretAccessKey] = [read("_accessKeyId"), read("_secretAccessKey")]
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return {
    kind: "sigv4",
    accessKeyId,
    secretAccessKey,
    sessionToken: read("_sessionToken"),
    region: read("_region"),
    service: read("_service") ?? "execute-api",
  }
}

interface Searched {
  readonly name: string
  readonly oauth: OAuthScheme
  readonly read: VariableReader
  readonly environment: ResolvedEnvironment
  readonly base: RequestBase
}

function oauthOf(searched: Searched): RequestAuth | undefined {
  const { name, oauth, read, environment, base } = searched
  const grant = read("_grant") ?? defaultGrant(searched)
  const flow = grant === undefined ? undefined : flowOf(oauth, grant)
  const own = read("_tokenUrl")
  const tokenUrl = own ?? (grant === "refresh_token" ? flow?.refreshUrl : undefined) ?? flow?.tokenUrl
  const isDiscovered = tokenUrl === undefined || grant === "authorization_code"
  const discoveryUrl = isDiscovered ? oauth.discoveryUrl : undefined
  const from = tokenUrl ?? discoveryUrl
  if (grant === undefined || from === undefined) return undefined
  const isOwnSecret =
    own !== undefined && variableOf(`${name}_tokenUrl`, environment)?.declaration.secret === true
  const absolute = (url: string): string =>
    URL.canParse(url, `${base.path}/`) ? new URL(url, `${base.path}/`).href : url
  const clientSecret = read("_clientSecret")
  const privateKey = read("_privateKey")
  const method = read("_authMethod")
  const methods =
    clientSecret === undefined ? [privateKey === undefined ? "none" : "private_key_jwt"] : secretMethods
  const facts = {
    grant,
    refreshUrl: own === undefined && flow?.refreshUrl !== undefined ? absolute(flow.refreshUrl) : undefined,
    authorizationUrl: flow?.authorizationUrl === undefined ? undefined : absolute(flow.authorizationUrl),
    method: method ?? methods[0] ?? "none",
    clientId: read("_clientId"),
    clientSecret,
    username: read("_username"),
    password: read("_password"),
    refreshToken: read("_refreshToken"),
    privateKey,
    keyId: read("_keyId"),
    scope: oauth.scopes.join(" "),
    environment: environment.name,
    verifyTls: environment.verifyTls,
  }
  const client: OAuthClient =
    discoveryUrl === undefined
      ? { ...facts, tokenUrl: absolute(from) }
      : {
          ...facts,
          tokenUrl: tokenUrl && absolute(tokenUrl),
          discovery: {
            url: absolute(discoveryUrl),
            written: discoveryUrl,
            methods: method === undefined ? methods : [],
          },
        }
  return {
    kind: "oauth2",
    client,
    key: keyOf(client, name, environment),
    name: `${environment.api}.${name}`,
    variables: schemeVariable(name),
    secretBase: isOwnSecret ? secretBaseOf(from) : URL.canParse(from) ? undefined : base.secret,
  }
}

/**
 * Identifies a client. A reference stands for its secret, so that the key is the same before and after the secret is
 * resolved.
 */
function keyOf(client: OAuthClient, scheme: string, environment: ResolvedEnvironment): string {
  const references = Object.keys(client).flatMap((field) => {
    const { value, reference, resolvedFrom } = variableOf(`${scheme}_${field}`, environment) ?? {}
    const written = resolvedFrom ?? (reference && String(value))
    return written === undefined ? [] : [[field, written] as const]
  })
  return JSON.stringify({ ...client, ...Object.fromEntries(references) })
}

/** The ways to authenticate with a secret. A discovery document says which ones the provider accepts. */
const secretMethods = ["client_secret_basic", "client_secret_post", "client_secret_jwt"]

function secretBaseOf(url: string): SecretBase | undefined {
  const read = readBaseUrl(url)
  return read.ok ? new SecretBase(read.base) : undefined
}

/** Returns the first grant that the document's flows and the variables allow. */
function defaultGrant({ oauth: { flows, discoveryUrl }, read }: Searched): string | undefined {
  const isOpen = flows === undefined || read("_tokenUrl") !== undefined
  if (read("_refreshToken") !== undefined) return "refresh_token"
  if (
    (isOpen || flows.password !== undefined) &&
    read("_username") !== undefined &&
    read("_password") !== undefined
  )
    return "password"
  if (read("_clientId") === undefined) return undefined
  const canLogin = (flows?.authorizationCode?.authorizationUrl ?? discoveryUrl) !== undefined
  // A client without a credential is one that users log in to.
  const isPublic = ["_clientSecret", "_privateKey", "_authMethod"].every(
    (suffix) => read(suffix) === undefined,
  )
  if ((isOpen || flows.clientCredentials !== undefined) && !(isPublic && canLogin))
    return "client_credentials"
  return canLogin ? "authorization_code" : undefined
}

/** Returns the flow of a grant. Any flow can have refresh tokens. */
function flowOf({ flows = {} }: OAuthScheme, grant: string): OAuthFlow | undefined {
  switch (grant) {
    case "client_credentials":
      return flows.clientCredentials
    case "password":
      return flows.password
    case "authorization_code":
      return flows.authorizationCode
    default:
      return flows.authorizationCode ?? flows.password ?? flows.clientCredentials
  }
}
