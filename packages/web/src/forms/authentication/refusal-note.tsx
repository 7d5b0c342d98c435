// Beside a response that refuses a request: which authentication the operation needs, and a link that sets it.

import { type JsonValue, type RunReport, ownOf } from "@callsheet/format"
import type { AuthenticationView, SecurityView } from "@callsheet/server/calls"
import { useOperation } from "../completion/known-sources.ts"
import { useProject } from "../../connection/queries.ts"
import { showTab } from "../../ui/tabs.tsx"
import { wordsOf } from "./credential-forms.ts"
import { objectIn } from "../../files/text/object-in.ts"
import {
  useAskedCredential,
  useAuthentication,
  useSavedParams,
  type AuthenticatedRequest,
} from "./use-authentication.ts"

interface Refused extends AuthenticatedRequest {
  readonly status: number | undefined
}

/** Shown only for 401, and for 403 if a credential is missing. */
export function RefusalNote({ status, ...request }: Refused) {
  const detail = useOperation(request.api, request.operation, request.resource)
  const answer = useAuthentication({
    ...request,
    operation: detail === undefined ? undefined : request.operation,
  })
  const words = refusalWords(status, detail?.security ?? [], answer)
  if (words === undefined) return null
  const [says, does] = words
  const ask = (): void => {
    showTab("Form")
    useAskedCredential.setState({ isAsked: true })
  }
  return (
    <p className="auth-refusal">
      <span>{says}</span>
      <button type="button" className="button" onClick={ask}>
        {does}
      </button>
    </p>
  )
}

function refusalWords(
  status: number | undefined,
  security: readonly (readonly SecurityView[])[],
  answer: AuthenticationView | undefined,
): readonly [says: string, does: string] | undefined {
  if (status !== 401 && status !== 403) return undefined
  const isMissing = security.length > 0 && answer !== undefined && answer.used === undefined
  if (isMissing) {
    const [first = []] = security
    return [`This operation needs ${first.map(authenticationWords).join(" and ")}.`, "Set it"]
  }
  if (status === 403) return undefined
  return security.length === 0
    ? ["The server asks for authentication.", "Set it"]
    : ["The server refused the authentication of this request.", "Change it"]
}

function authenticationWords(scheme: SecurityView): string {
  if (scheme.oauth !== undefined) return "OAuth 2"
  if (scheme.kind === "apiKey") return "an API key"
  return scheme.kind === "unsupported"
    ? `the scheme ${scheme.name}`
    : `${wordsOf(scheme).toLowerCase().replace(" token", "").replace("aws", "AWS")} authentication`
}

interface BlockProps {
  readonly status: number | undefined
  /** The block as written in the file. */
  readonly block: JsonValue
  readonly environments: RunReport["environments"]
}

/** The note for a request block. */
export function BlockRefusalNote({ status, block, environments }: BlockProps) {
  const { data: project } = useProject()
  const request = objectIn(block, "request")
  const [api = "", operation, resource, instance] = ["api", "operation", "resource", "instance"].map(
    (field) => {
      const text = ownOf(request, field)
      return typeof text === "string" ? text : undefined
    },
  )
  const saved = project?.apis
    .find(({ name }) => name === api)
    ?.requests.find((one) => one.name === instance && (resource === undefined || one.resource === resource))
  const savedParams = useSavedParams(api, saved?.resource, saved?.name)
  return (
    <RefusalNote
      status={status}
      api={api}
      operation={operation ?? saved?.target}
      resource={operation === undefined ? undefined : resource}
      environment={ownOf(environments, api)?.name}
      params={ownOf(objectIn(request, "overrides"), "params")}
      savedParams={savedParams}
    />
  )
}
