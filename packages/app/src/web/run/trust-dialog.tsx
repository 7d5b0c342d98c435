// Asks before scripts are run that changed since the person last said yes to them: which ones, with the way to their text.

import { useEffect, useRef } from "react"
import type { TrustQuestion, UnknownScript } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { PlaceLink } from "../places/place-link.tsx"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
import { ignoreHeldKeys } from "./ignore-held-keys.ts"
import type { SentKind } from "./questions.ts"
import { scriptPlace } from "./script-place.ts"

interface Props {
  readonly question: TrustQuestion
  readonly what: SentKind
  readonly onCancel: () => void
  readonly onConfirm: (confirmation: string) => void
}

export function TrustDialog({ question, onCancel, onConfirm }: Props) {
  const { scripts, confirmation } = question
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  const title = scripts.every(({ isNew }) => isNew) ? "Run new scripts?" : "Run changed scripts?"
  return (
    <Dialog label={title} className="dialog-confirm" onClose={onCancel}>
      <div className="confirm" onKeyDown={ignoreHeldKeys}>
        <h2>{title}</h2>
        <p>
          The workflow runs {count(scripts.length, "script")} that you have not said yes to. A script is a
          program: it can read your files and reach the network as you can.
        </p>
        <ul className="confirm-scripts">
          {scripts.map((script) => (
            <Script key={script.path} script={script} onLook={onCancel} />
          ))}
        </ul>
        <div className="confirm-actions">
          <button ref={cancel} type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="button" className="button" onClick={() => onConfirm(confirmation)}>
            I trust {scripts.length === 1 ? "it" : "them"}, run
          </button>
        </div>
      </div>
    </Dialog>
  )
}

interface ScriptProps {
  readonly script: UnknownScript
  readonly onLook: () => void
}

function Script({ script: { path, isNew }, onLook }: ScriptProps) {
  const place = scriptPlace(path)
  return (
    <li>
      <span className="tag">{isNew ? "new" : "changed"}</span>{" "}
      {place === undefined ? (
        <code>
          <ShownText text={path} />
        </code>
      ) : (
        <span onClick={onLook}>
          <PlaceLink to={place}>
            <ShownText text={path} />
          </PlaceLink>
        </span>
      )}
    </li>
  )
}
