// Calls that describe an operation of a document, and the types that scripts can read.

import { shapes, type JsonValue, type ValueKind } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { api, environment, text, workflow } from "./names.ts"
import type { OperationView } from "./project.ts"
import type { LoginQuestion } from "./runs.ts"

const { array, enumOf, object, optional, required } = shapes

const named = {
  api,
  operation: required(text, "An operationId, or `METHOD /path`."),
  resource: optional(text, "The resource, if several operations have this name."),
}

const credentialPlace = object({
  in: required(enumOf("header", "query", "cookie"), "The location."),
  name: required(text, "The name of the parameter."),
})
export type CredentialPlace = shapes.TypeOf<typeof credentialPlace>

export const operationCalls = {
  /**
   * Describes an operation. The input names it as a request block does. Reads only the needed parts of the document.
   */
  "operations.read": call(object(named), answer<OperationDetail>()),
  /** Returns how a request of an operation would authenticate in an environment. Returns no value of a variable. */
  "operations.authentication": call(
    object({
      ...named,
      environment,
      parameters: required(
        array(() => credentialPlace),
        "The parameters that the request sets itself.",
      ),
    }),
    answer<AuthenticationView>(),
  ),
}

const login = required(text, "The login, as the start was answered with it.")
const scheme = object({ ...named, environment, scheme: required(text, "The name of the security scheme.") })

/** Logins without a run. The server keeps their tokens in memory, and runs use them. */
export const loginCalls = {
  /** Returns the login page, or gets a token without one. Answers with the reason if the token can't be got. */
  "logins.start": call(scheme, answer<LoginStarted>()),
  /** Waits for a login. */
  "logins.wait": call(object({ login }), answer<LoginStarted>()),
  "logins.cancel": call(object({ login }), answer<Nothing>()),
  /** Forgets the token. */
  "logins.end": call(scheme, answer<Nothing>()),
}

export type LoginStarted = { readonly login: LoginQuestion } | { readonly isLoggedIn: true }

export interface OperationDetail extends OperationView {
  readonly description?: string | undefined
  readonly parameters: readonly ParameterView[]
  readonly body?: BodyTypeView | undefined
  readonly responses: readonly ResponseTypeView[]
  /** Alternatives, each with the schemes that it requires. An empty alternative requires none. */
  readonly security: readonly (readonly SecurityView[])[]
}

export interface SecurityView {
  readonly kind: "apiKey" | "bearer" | "basic" | "digest" | "sigv4" | "unsupported"
  readonly name: string
  /** The variable that authenticates without a parameter in the request. Names of others start with it. */
  readonly variable: string
  /** The header, query parameter or cookie. Absent if callsheet doesn't support the scheme. */
  readonly place?: CredentialPlace | undefined
  /** Set for OAuth 2 and OpenID Connect. */
  readonly oauth?: OAuthView | undefined
}

export interface OAuthView {
  /** The flows of the document that callsheet supports. Absent if the provider's discovery document lists them. */
  readonly flows?: readonly ("clientCredentials" | "password" | "authorizationCode")[] | undefined
  readonly scopes: readonly string[]
}

export interface AuthenticationView {
  /** Alternatives, each with the schemes that it requires. None if the operation requires no authentication. */
  readonly alternatives: readonly (readonly SchemeView[])[]
  /** The index of the alternative that a request uses. Absent if none has all its values. */
  readonly used?: number | undefined
}

export interface SchemeView extends SecurityView {
  /** `request`: the request sets `place` itself. `set`: variables have the values. */
  readonly state: "request" | "set" | "missing" | "unsupported"
  /** The variables with a value, and the environments whose files set them. */
  readonly given: readonly GivenVariable[]
  /** The grant by which a request gets a token. Absent if its values are missing, or if a ready token is used. */
  readonly grant?: string | undefined
  /** Set if a request gets a token by OAuth. */
  readonly login?: LoginView | undefined
}

export interface GivenVariable {
  readonly name: string
  readonly from: "process" | "file" | "default"
  readonly environment?: string | undefined
}

export interface LoginView {
  readonly isLoggedIn: boolean
  /** ISO 8601. Absent if the token is renewed without the user. */
  readonly until?: string | undefined
}

export type ParameterPlace = "path" | "query" | "header" | "cookie"

export interface ParameterView extends NamedField {
  readonly in: ParameterPlace
}

export interface BodyTypeView {
  readonly required: boolean
  readonly mediaType: string
  readonly mediaTypes: readonly string[]
  readonly type: FieldView
  readonly example?: JsonValue | undefined
}

export interface ResponseTypeView {
  /** A status such as `200`, `4XX` or `default`. */
  readonly status: string
  readonly description?: string | undefined
  readonly headers: readonly string[]
  readonly isStream: boolean
  readonly body?: FieldView | undefined
}

export interface FieldView {
  /** The type as shown: `string`, `integer or null`, `array of Book`. Empty if it is unknown. */
  readonly words: string
  readonly kinds?: readonly ValueKind[] | undefined
  readonly description?: string | undefined
  readonly values?: readonly JsonValue[] | undefined
  /** True for a string with the format `password`. */
  readonly isPassword?: true | undefined
  readonly fields?: readonly NamedField[] | undefined
  readonly items?: FieldView | undefined
  readonly isCut?: boolean | undefined
}

export interface NamedField extends FieldView {
  readonly name: string
  readonly required?: boolean | undefined
}

export const scriptCalls = {
  "scripts.types": call(shapes.object({ workflow }), answer<ScriptTypesView>()),
}

export interface ScriptTypesView {
  /** The first names of paths in any block of the workflow, with their types. Empty if the file can't be read. */
  readonly names: readonly NamedField[]
  readonly inputs: readonly NamedField[]
  readonly environments: readonly NamedField[]
  readonly calls: readonly ScriptCallView[]
}

export interface ScriptCallView {
  readonly context: ScriptContextName
  readonly block: string
  readonly script: string
  readonly exportName: string
  readonly names: readonly string[]
}

export type ScriptContextName = "AssertContext" | "ConditionContext" | "TransformContext" | "ScriptContext"
