// The part of a request's form about authentication: what the operation requires, whether it is set, and how to set it.

import { useEffect, useRef, useState, type ReactNode } from "react"
import type { JsonPointer } from "@callsheet/format"
import type {
  AuthenticationView,
  CredentialPlace,
  OperationDetail,
  SecurityView,
} from "@callsheet/server/calls"
import { useEnvironments } from "../../environments/use-environments.ts"
import { useForm } from "../context/form-context.tsx"
import { later } from "../../ui/later.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { kindsByHand, wordsOf, type WantedCredential } from "./credential-forms.ts"
import { LoginButton, type LoginPlace } from "./login-button.tsx"
import { isSamePlace, ownCredentials, setPlaces, type OwnCredential } from "./own-credentials.ts"
import { credentialState, schemeState, type CredentialWords } from "./state-words.ts"
import { useAskedCredential, useAuthentication, type AuthenticatedRequest } from "./use-authentication.ts"

// Rarely needed, so it isn't part of what opens the page.
const [CredentialDialog] = later(async () => (await import("./credential-dialog.tsx")).CredentialDialog)

interface Props extends Omit<AuthenticatedRequest, "operation" | "resource"> {
  /** The operation's names. */
  readonly named: Pick<AuthenticatedRequest, "operation" | "resource">
  /** Undefined without a document, and for an operation whose name contains a placeholder. */
  readonly detail: OperationDetail | undefined
  /** The pointer of the parameters in the form, and the outermost object to remove if it becomes empty. */
  readonly pointer: JsonPointer
  readonly upTo: JsonPointer
}

export function AuthenticationPart(props: Props) {
  const { api, environment, detail } = props
  const section = useRef<HTMLElement>(null)
  const [wanted, setWanted] = useState<WantedCredential>()
  // A login's error is about the values before a change.
  const [changes, setChanges] = useState(0)
  const { answer, context, others, use, remove } = useCredentials(props)
  useAsked(() => {
    section.current?.scrollIntoView({ block: "nearest" })
    setWanted(firstWanted(detail, answer))
  })
  return (
    <section ref={section} className="form-part auth" aria-label="Authentication">
      <h2 className="form-head">Authentication</h2>
      {detail === undefined ? null : (
        <Schemes
          detail={detail}
          answer={answer}
          context={context}
          place={loginPlace(props)}
          changes={changes}
          onSet={setWanted}
        />
      )}
      {others.map((one) => (
        <Row
          key={`${one.place.in} ${one.place.name}`}
          name={one.word ?? "Secret"}
          place={one.place}
          state={credentialState(one, context)}
        >
          {context.own.includes(one) ? (
            <button type="button" className="button auth-button" onClick={() => remove(one)}>
              Remove
            </button>
          ) : null}
        </Row>
      ))}
      {detail === undefined && others.length === 0 ? <ByHand onChoose={setWanted} /> : null}
      {wanted === undefined ? null : (
        <CredentialDialog
          api={api}
          wanted={wanted}
          environment={environment}
          onUse={use}
          onClose={() => {
            setWanted(undefined)
            setChanges(changes + 1)
          }}
        />
      )}
    </section>
  )
}

function loginPlace({ api, environment, named: { operation, resource } }: Props): LoginPlace | undefined {
  if (environment === undefined || operation === undefined) return undefined
  return { api, environment, operation, ...(resource === undefined ? {} : { resource }) }
}

function useCredentials({ named, detail, pointer, upTo, ...request }: Props) {
  const { api, environment, params, savedParams } = request
  const form = useForm()
  const { data: view } = useEnvironments(api)
  const answer = useAuthentication({ ...request, ...(detail === undefined ? noOperation : named) })
  const secrets = new Set((view?.variables ?? []).flatMap(({ name, secret }) => (secret ? [name] : [])))
  const own = ownCredentials(params, secrets)
  const saved = ownCredentials(savedParams, secrets)
  const isOfScheme = ({ place }: OwnCredential): boolean =>
    (detail?.security ?? [])
      .flat()
      .some((scheme) => scheme.place !== undefined && isSamePlace(scheme.place, place))
  const use = (place: CredentialPlace, text: string): void => {
    const known = setPlaces(params).find((one) => isSamePlace(one, place)) ?? place
    form.set([...pointer, known.in, known.name], text)
  }
  const context: CredentialWords = { environment, own, saved, view }
  return {
    answer,
    context,
    /** The credentials that belong to no scheme of the operation. */
    others: [...own, ...saved].filter((one) => !isOfScheme(one)),
    use,
    remove: ({ place }: OwnCredential): void => form.unset([...pointer, place.in, place.name], upTo),
  }
}

const noOperation = { operation: undefined, resource: undefined }

/** Returns what to set if the server refuses the request: what is missing or, without that, what was sent. */
function firstWanted(
  detail: OperationDetail | undefined,
  answer: AuthenticationView | undefined,
): WantedCredential | undefined {
  const states = answer?.alternatives.flat() ?? []
  const scheme =
    states.find(({ state }) => state === "missing") ??
    answer?.alternatives[answer.used ?? 0]?.[0] ??
    detail?.security.flat()[0]
  return scheme === undefined ? kindsByHand[0] : wantedOf(scheme)
}

/** Calls `open` once each time the user asks from elsewhere. */
function useAsked(open: () => void): void {
  const isAsked = useAskedCredential((state) => state.isAsked)
  useEffect(() => {
    if (!isAsked) return
    useAskedCredential.setState({ isAsked: false })
    open()
  }, [isAsked])
}

function wantedOf({ kind, name, variable, place, oauth }: SecurityView): WantedCredential | undefined {
  return kind === "unsupported" || place === undefined
    ? undefined
    : { kind, scheme: name, variable, place, oauth }
}

interface SchemesProps {
  readonly detail: OperationDetail
  readonly answer: AuthenticationView | undefined
  readonly context: CredentialWords
  /** The operation and the environment to log in for. */
  readonly place: LoginPlace | undefined
  readonly changes: number
  readonly onSet: (wanted: WantedCredential) => void
}

function Schemes({ detail: { security }, answer, context, place, changes, onSet }: SchemesProps) {
  if (security.flat().length === 0)
    return <p className="auth-none faint">This operation requires no authentication.</p>
  return security.map((schemes, index) => (
    <div key={index} className="auth-alternative" role="group" aria-label={`Alternative ${index + 1}`}>
      {schemes.length === 0 ? <p className="auth-none faint">or none</p> : null}
      {schemes.map((scheme, at) => {
        const state = answer?.alternatives[index]?.[at]
        const wanted = wantedOf(scheme)
        const isUsed = answer?.used === undefined || answer.used === index
        return (
          <Row
            key={scheme.name}
            joint={at > 0 ? "and" : index > 0 ? "or" : undefined}
            name={wordsOf(scheme)}
            scheme={scheme.name}
            place={scheme.place}
            state={schemeState(state, context)}
            isUnused={!isUsed}
          >
            {state?.login === undefined || place === undefined || state.state !== "set" ? null : (
              <LoginButton key={`${place.environment} ${changes}`} place={place} scheme={state} />
            )}
            {wanted === undefined || state?.state === "request" ? null : (
              <button
                type="button"
                className="button auth-button"
                aria-label={`Set ${wordsOf(wanted)} ${scheme.name}`}
                onClick={() => onSet(wanted)}
              >
                {state?.state === "set" ? "Change…" : "Set…"}
              </button>
            )}
          </Row>
        )
      })}
    </div>
  ))
}

interface RowProps {
  /** The word between this scheme and the one before. */
  readonly joint?: string | undefined
  readonly name: string
  readonly scheme?: string | undefined
  readonly place: CredentialPlace | undefined
  readonly state: { readonly words: string; readonly tone: string }
  readonly isUnused?: boolean
  readonly children: ReactNode
}

function Row({ joint, name, scheme, place, state, isUnused = false, children }: RowProps) {
  return (
    <div className={isUnused ? "auth-row auth-unused" : "auth-row"}>
      <span className="auth-name">
        {joint === undefined ? null : <span className="auth-joint">{joint}</span>}
        {name}
        {scheme === undefined ? null : (
          <code>
            <ShownText text={scheme} />
          </code>
        )}
        {place === undefined ? null : (
          <span className="faint">
            {place.in} <ShownText text={place.name} />
          </span>
        )}
      </span>
      {/* On one line, so that nothing moves when it is known. */}
      <span className={`auth-state auth-${state.tone}`} title={visibleText(state.words)}>
        <ShownText text={state.words} />
      </span>
      {children}
    </div>
  )
}

const ByHand = ({ onChoose }: { readonly onChoose: (wanted: WantedCredential) => void }) => (
  <p className="auth-none">
    <span className="faint">None.</span>
    {kindsByHand.map((kind) => (
      <button key={kind.kind} type="button" className="quiet-button" onClick={() => onChoose(kind)}>
        {wordsOf(kind)}…
      </button>
    ))}
  </p>
)
