// What a form asks for to authenticate, and the variables and the parameter that it makes. Pure.

import { toBase64 } from "@callsheet/format"
import type { CredentialPlace, OAuthView, SecurityView } from "@callsheet/server/calls"

/** A security scheme of a document, or a kind of authentication that the user has chosen without one. */
export interface WantedCredential {
  readonly kind: Exclude<SecurityView["kind"], "unsupported">
  /** The name of the scheme. Absent without a document. */
  readonly scheme?: string | undefined
  readonly variable: string
  /** Where a request carries the credential. */
  readonly place: CredentialPlace
  readonly oauth?: OAuthView | undefined
}

/** The kinds that the user can choose without a document. */
export const kindsByHand: readonly WantedCredential[] = [
  { kind: "bearer", variable: "token", place: { in: "header", name: "Authorization" } },
  { kind: "basic", variable: "basicAuth", place: { in: "header", name: "Authorization" } },
  { kind: "apiKey", variable: "apiKey", place: { in: "header", name: "X-API-Key" } },
]

const kindWords: { readonly [K in SecurityView["kind"]]: string } = {
  apiKey: "API key",
  bearer: "Bearer token",
  basic: "Basic",
  digest: "Digest",
  sigv4: "AWS Signature",
  unsupported: "not supported",
}

export const wordsOf = ({ kind, oauth }: { kind: SecurityView["kind"]; oauth?: unknown }): string =>
  oauth === undefined ? kindWords[kind] : "OAuth 2"

export interface CredentialField {
  readonly key: string
  readonly label: string
  readonly isSecret: boolean
  readonly isOptional?: boolean
}

export interface CredentialForm {
  readonly id: string
  /** The name of the form, if there are several. */
  readonly label: string
  readonly fields: readonly CredentialField[]
}

export interface NewVariable {
  readonly name: string
  readonly value: string
  readonly isSecret: boolean
}

const user: readonly CredentialField[] = [
  { key: "user", label: "User", isSecret: false },
  { key: "password", label: "Password", isSecret: true },
]
const clientId: CredentialField = { key: "clientId", label: "Client ID", isSecret: false }
const clientSecret: CredentialField = { key: "clientSecret", label: "Client secret", isSecret: true }
const optional = (field: CredentialField): CredentialField => ({ ...field, isOptional: true })

const readyToken: CredentialForm = {
  id: "token",
  label: "A token that you have",
  fields: [{ key: "", label: "Token", isSecret: true }],
}

const grants: readonly (CredentialForm & { readonly flow: NonNullable<OAuthView["flows"]>[number] })[] = [
  {
    flow: "authorizationCode",
    id: "authorization_code",
    label: "Log in with a browser",
    fields: [clientId, optional(clientSecret)],
  },
  {
    flow: "clientCredentials",
    id: "client_credentials",
    label: "Client credentials",
    fields: [clientId, clientSecret],
  },
  {
    flow: "password",
    id: "password",
    label: "User and password",
    fields: [
      { key: "username", label: "User", isSecret: false },
      { key: "password", label: "Password", isSecret: true },
      optional(clientId),
      optional(clientSecret),
    ],
  },
]

/** Returns the forms for a credential. The user chooses one. */
export function credentialForms({ kind, oauth }: WantedCredential): readonly CredentialForm[] {
  switch (kind) {
    case "apiKey":
      return [{ id: "key", label: "", fields: [{ key: "", label: "Key", isSecret: true }] }]
    case "basic":
    case "digest":
      return [{ id: "user", label: "", fields: user }]
    case "sigv4":
      return [
        {
          id: "aws",
          label: "",
          fields: [
            { key: "accessKeyId", label: "Access key ID", isSecret: false },
            { key: "secretAccessKey", label: "Secret access key", isSecret: true },
            { key: "region", label: "Region", isSecret: false },
            { key: "sessionToken", label: "Session token", isSecret: true, isOptional: true },
          ],
        },
      ]
    case "bearer":
      if (oauth === undefined) return [{ ...readyToken, label: "" }]
      return [
        ...grants.filter(({ flow }) => oauth.flows === undefined || oauth.flows.includes(flow)),
        readyToken,
      ]
  }
}

export type Typed = ReadonlyMap<string, string>

/** Returns the variables with the typed values. `name` replaces the variable of a form with only one. */
export function variablesOf(
  wanted: WantedCredential,
  { id, fields }: CredentialForm,
  { typed, name }: { readonly typed: Typed; readonly name: string },
): readonly NewVariable[] {
  if (id === "user") {
    const pair = `${typed.get("user") ?? ""}:${typed.get("password") ?? ""}`
    // Without a scheme, the header contains the variable itself.
    return [{ name, value: wanted.scheme === undefined ? toBase64(pair) : pair, isSecret: true }]
  }
  const own = fields.flatMap(({ key, isSecret }) => {
    const value = typed.get(key) ?? ""
    return value === "" ? [] : [{ name: key === "" ? name : `${wanted.variable}_${key}`, value, isSecret }]
  })
  // Otherwise, the variables of another grant may win.
  return isGrant(id) ? [...own, { name: `${wanted.variable}_grant`, value: id, isSecret: false }] : own
}

const isGrant = (id: string): boolean => grants.some((grant) => grant.id === id)

/** Returns whether the user may choose the variable's name. */
export const hasFreeName = (wanted: WantedCredential, { fields, id }: CredentialForm): boolean =>
  (fields.length === 1 && !isGrant(id)) || wanted.scheme === undefined

/** Returns the value of the parameter that uses the variable. Undefined if the scheme's own variable needs none. */
export function paramText(wanted: WantedCredential, name: string): string | undefined {
  if (wanted.scheme !== undefined && name === wanted.variable) return undefined
  const token = `{{${name}}}`
  if (wanted.kind === "bearer") return `Bearer ${token}`
  return wanted.kind === "basic" ? `Basic ${token}` : token
}

/** Returns the error in a typed value. */
export function faultOfField({ key, isOptional }: CredentialField, value: string): string | undefined {
  if (value === "") return isOptional === true ? undefined : "Type or paste the value first."
  if (key === "user" && value.includes(":")) return "A user's name can't contain a colon."
  return undefined
}
