// Asks before a run that sends to production: what it will send, and the environment's name from the person's own hand.

import { useEffect, useId, useRef, useState, type FormEvent } from "react"
import type { ProductionMethod, ProductionQuestion, ProductionView } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { MethodBadge } from "../parts/method-badge.tsx"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
import { ignoreHeldKeys } from "./ignore-held-keys.ts"
import type { SentKind } from "./questions.ts"

interface Props {
  readonly question: ProductionQuestion
  readonly what: SentKind
  readonly onCancel: () => void
  readonly onConfirm: (confirmation: string) => void
}

export function ProductionDialog({ question, what, onCancel, onConfirm }: Props) {
  const { production, confirmation } = question
  const does = what === "run" ? "Run against production" : "Send to production"
  const names = [...new Set(production.map(({ environment }) => environment))]
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [isWrong, setWrong] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (names.every((name) => typed[name] === name)) onConfirm(confirmation)
    else setWrong(true)
  }
  return (
    <Dialog label={`${does}?`} className="dialog-confirm" onClose={onCancel}>
      <form className="confirm" onSubmit={submit} onKeyDown={ignoreHeldKeys}>
        <h2>{does}?</h2>
        {production.map((view) => (
          <Sent key={`${view.api} ${view.environment}`} view={view} />
        ))}
        {names.map((name) => (
          <NameField
            key={name}
            name={name}
            what={what}
            isWrong={isWrong && typed[name] !== name}
            value={typed[name] ?? ""}
            onChange={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
        <div className="confirm-actions">
          <button ref={cancel} type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" className="button button-danger">
            {does}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Sent({ view }: { readonly view: ProductionView }) {
  const { api, environment, atLeast, methods } = view
  return (
    <div>
      <p>
        <strong>
          <ShownText text={api} />
        </strong>{" "}
        in{" "}
        <strong>
          <ShownText text={environment} />
        </strong>
        : at least {count(atLeast, "request")}
      </p>
      <ul className="confirm-methods">
        {methods.map((method) => (
          <Method key={method.method ?? ""} method={method} />
        ))}
      </ul>
    </div>
  )
}

const reading = new Set(["GET", "HEAD", "OPTIONS", "TRACE"])

function Method({ method: { method, atLeast } }: { readonly method: ProductionMethod }) {
  const writes = method === undefined || !reading.has(method)
  return (
    <li className={writes ? "confirm-method confirm-method-writes" : "confirm-method"}>
      {method === undefined ? "a method known only then" : <MethodBadge method={method} />}
      <span>
        {atLeast === 0 ? "perhaps" : `× ${atLeast.toLocaleString("en")}`}
        {method !== undefined && writes ? ", writes" : ""}
      </span>
    </li>
  )
}

interface NameProps {
  readonly name: string
  readonly what: SentKind
  readonly value: string
  readonly isWrong: boolean
  readonly onChange: (text: string) => void
}

function NameField({ name, what, value, isWrong, onChange }: NameProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        Type{" "}
        <strong>
          <ShownText text={name} />
        </strong>{" "}
        to {what}
      </label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-invalid={isWrong}
        aria-describedby={`${id}-fault`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-fault`} className="field-error" role="status">
        {isWrong ? "That is not the name of the environment." : ""}
      </p>
    </div>
  )
}
