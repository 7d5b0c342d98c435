// What there is to say about a typed URL or a pasted curl command: another server, secrets, and what was left out.

import { useState } from "react"
import { ownOf } from "@callsheet/format"
import type { CurlView } from "@callsheet/server/calls"
import { faultOf, type Fault } from "../connection/fault-of.ts"
import { FailureLine } from "../runs/marks/block-fault.tsx"
import { RouteLink } from "../routes/route-link.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { baseUrls } from "./resolved-url.ts"
import { saveCredentials } from "../forms/authentication/save-credentials.ts"
import type { UrlBarProps } from "./url-bar.tsx"
import type { UrlEdits, UrlNote } from "./url-edits.ts"
import { placeOf, splitTypedUrl } from "./typed-url.ts"

interface Props extends UrlBarProps {
  readonly edits: UrlEdits
}

export function UrlNotice(props: Props) {
  const { note, drop } = props.edits
  if (note === undefined) return null
  return (
    <div className="url-notice" role="status">
      <Note {...props} note={note} />
      {note.is === "elsewhere" ? null : (
        <button type="button" className="quiet-button" onClick={drop}>
          Close
        </button>
      )}
    </div>
  )
}

function Note(props: Props & { readonly note: UrlNote }) {
  const { note } = props
  switch (note.is) {
    case "elsewhere":
      return <Elsewhere {...props} note={note} />
    case "repeated":
      return (
        <p>
          A saved request keeps one value of each query parameter. Of{" "}
          <ShownText text={note.names.join(", ")} />, it kept the last one.
        </p>
      )
    case "curl":
      return <FilledIn {...props} curl={note.view} />
    case "fault":
      return <FailureLine failure={note.fault} />
  }
}

/** Nothing is sent to another server than that of the environment. */
function Elsewhere({
  file,
  edits,
  view,
  environment,
  onEnvironment,
  note,
}: Props & { readonly note: Extract<UrlNote, { is: "elsewhere" }> }) {
  const { place, edit } = note
  const known = place.environments.filter(({ name }) => name !== environment)
  const isUsable = (name: string): boolean =>
    view?.environments.find((one) => one.name === name)?.isBroken === false
  return (
    <>
      <p>
        <code>
          <ShownText text={place.origin} />
        </code>{" "}
        <NotTheServer environment={environment} isKnown={baseUrls(view).has(environment ?? "")} />. Nothing
        was changed yet.
      </p>
      <p className="url-choices">
        {known
          .filter(({ name }) => isUsable(name))
          .map(({ name, path }) => (
            <button
              key={name}
              type="button"
              className="button"
              onClick={() => {
                onEnvironment(name)
                edits.write({ ...edit, path })
              }}
            >
              Switch to {visibleText(name)}
            </button>
          ))}
        <button type="button" className="button" onClick={() => edits.write(edit)}>
          Keep only the path
        </button>
        <button type="button" className="button" onClick={edits.drop}>
          Discard
        </button>
        <RouteLink to={{ kind: "environments", api: file.api }} className="link">
          Change the base URL…
        </RouteLink>
      </p>
    </>
  )
}

interface ServerProps {
  readonly environment: string | undefined
  /** False if the base URL is a secret, or if only the document has one. */
  readonly isKnown: boolean
}

function NotTheServer({ environment, isKnown }: ServerProps) {
  if (environment === undefined) return "is the server of no environment that you have chosen"
  return (
    <>
      {isKnown ? "is not the server of " : "may not be the server of "}
      <ShownText text={environment} />
      {isKnown ? "" : ", whose base URL isn't known here"}
    </>
  )
}

/** The secrets of a command are only in this page until the user stores them. */
function FilledIn(props: UrlBarProps & { readonly curl: CurlView }) {
  const { file, environment, view, curl } = props
  const { secrets, losses } = curl
  return (
    <>
      <p>Filled in from the curl command.</p>
      <OtherServer {...props} />
      {secrets.map(({ name, value }) => (
        <SecretLine key={name} {...{ api: file.api, environment, view, name, value }} />
      ))}
      {losses.length === 0 ? null : (
        <ul className="url-losses">
          {losses.map(({ what, reason }) => (
            <li key={`${what} ${reason}`}>
              <ShownText text={what} />: <ShownText text={reason} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The command's server, if it isn't that of the environment. */
function OtherServer({ environment, onEnvironment, view, curl }: UrlBarProps & { readonly curl: CurlView }) {
  const { baseUrl } = curl
  const url = splitTypedUrl(baseUrl ?? "")
  const place = placeOf(url, baseUrls(view), environment)
  if (baseUrl === undefined || place.is === "here") return null
  return (
    <p>
      The command sends to{" "}
      <code>
        <ShownText text={baseUrl} />
      </code>
      , which <NotTheServer environment={environment} isKnown={baseUrls(view).has(environment ?? "")} />.{" "}
      {place.environments.map(({ name }) => (
        <button key={name} type="button" className="button" onClick={() => onEnvironment(name)}>
          Switch to {visibleText(name)}
        </button>
      ))}
    </p>
  )
}

interface SecretProps extends Pick<UrlBarProps, "environment" | "view"> {
  readonly api: string
  readonly name: string
  readonly value: string
}

function SecretLine({ api, environment, view, name, value }: SecretProps) {
  const [state, setState] = useState<"kept" | "storing" | "stored">("kept")
  const [fault, setFault] = useState<Fault>()
  const cell = environment === undefined ? undefined : ownOf(ownOf(view?.cells, environment), name)
  const hasValue = cell !== undefined && cell.from !== "none"
  const store = async (): Promise<void> => {
    if (environment === undefined || state !== "kept") return
    setState("storing")
    setFault(undefined)
    try {
      const variables = [{ name, value, isSecret: true }]
      await saveCredentials({ api, variables, environments: [environment] })
      setState("stored")
    } catch (error) {
      setState("kept")
      setFault(faultOf(error, "The secret may have been stored."))
    }
  }
  return (
    <p>
      A secret was kept out of the file: <code>{visibleText(`{{${name}}}`)}</code>.{" "}
      {state === "stored" ? (
        <>
          It is stored in <ShownText text={environment ?? ""} />.
        </>
      ) : environment === undefined ? (
        "Choose an environment to store it."
      ) : (
        <button
          type="button"
          className="button"
          aria-disabled={state === "storing"}
          onClick={() => void store()}
        >
          {hasValue ? "Replace the secret" : "Store the secret"} in {visibleText(environment)}
        </button>
      )}
      <FailureLine failure={fault} />
    </p>
  )
}
