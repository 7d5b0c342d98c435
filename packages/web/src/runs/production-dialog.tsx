// Asks before a run against production. Shows the requests to come. The user has to type the name of the environment.

import { useEffect, useRef, useState } from "react"
import type { ProductionQuestion, ProductionView } from "@callsheet/server/calls"
import { FormDialog } from "../ui/form-dialog.tsx"
import { TextField } from "../ui/form-fields.tsx"
import { MethodBadge } from "../ui/method-badge.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { count } from "../ui/count.ts"
import { ShownText } from "../ui/shown-text.tsx"
import type { QuestionProps } from "./questions.ts"

export function ProductionDialog({ question, what, onCancel, onConfirm }: QuestionProps<ProductionQuestion>) {
  const { production, confirmation } = question
  const does = what === "run" ? "Run against production" : "Send to production"
  const names = [...new Set(production.map(({ environment }) => environment))]
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [faults, setFaults] = useState(0)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (faults > 0) fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [faults])
  const submit = useSubmit()
  return (
    <FormDialog
      title={`${does}?`}
      submit={submit}
      does={does}
      isDanger
      onSubmit={() => {
        if (names.every((name) => typed[name] === name)) onConfirm(confirmation)
        else setFaults(faults + 1)
      }}
      onClose={onCancel}
    >
      {production.map((view) => (
        <Sent key={`${view.api} ${view.environment}`} view={view} />
      ))}
      <div ref={fields} className="form-dialog-body">
        {names.map((name) => (
          <TextField
            key={name}
            label={
              <span>
                Type{" "}
                <strong>
                  <ShownText text={name} />
                </strong>{" "}
                to {what}
              </span>
            }
            value={typed[name] ?? ""}
            fault={faults > 0 && typed[name] !== name ? "That is not the environment's name." : undefined}
            onChange={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
      </div>
    </FormDialog>
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

function Method({ method: { method, atLeast } }: { readonly method: ProductionView["methods"][number] }) {
  const writes = method === undefined || !reading.has(method)
  return (
    <li className={writes ? "confirm-method confirm-method-writes" : "confirm-method"}>
      {method === undefined ? "a method known at run time" : <MethodBadge method={method} />}
      <span>
        {atLeast === 0 ? "possibly" : `× ${atLeast.toLocaleString("en")}`}
        {method !== undefined && writes ? ", writes" : ""}
      </span>
    </li>
  )
}
