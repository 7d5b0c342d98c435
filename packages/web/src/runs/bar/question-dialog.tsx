// The dialogs that ask a question before a run: unsaved files, new scripts, production, a login.

import { ownOf } from "@callsheet/format"
import type { Asked, QuestionProps } from "../state/questions.ts"
import { useState, useEffect, useRef } from "react"
import {
  filePath,
  type FileName,
  fileAt,
  type TrustQuestion,
  type UnknownScript,
  type ProductionQuestion,
  type ProductionView,
} from "@callsheet/server/calls"
import { LoginDialog } from "../../forms/authentication/login-dialog.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { fileKey } from "../../files/file-key.ts"
import { saveAll } from "../state/save-before-run.ts"
import { RouteLink } from "../../routes/route-link.tsx"
import { count } from "../../ui/formats.ts"
import { TextField } from "../../ui/form-fields.tsx"
import { routeOfFile } from "../../routes/route.ts"
import { MethodBadge } from "../../ui/badges.tsx"

export function QuestionDialog({ question, answer }: Asked) {
  const props = { what: question.what, onCancel: () => answer(undefined), onConfirm: answer }
  if ("unsaved" in question)
    return <UnsavedDialog key={question.unsaved.length} question={question.unsaved} {...props} />
  if ("login" in question)
    return (
      <LoginDialog
        key={question.login.login}
        title={question.what === "run" ? "Log in to run" : "Log in to send"}
        url={question.login.url}
        onCancel={props.onCancel}
      />
    )
  return "trust" in question ? (
    <TrustDialog key={question.trust.confirmation} question={question.trust} {...props} />
  ) : (
    <ProductionDialog key={question.ask.confirmation} question={question.ask} {...props} />
  )
}

/** Offers to save files, because a run uses the files on disk. */
function UnsavedDialog({ question: files, onCancel, onConfirm }: QuestionProps<readonly FileName[]>) {
  const submit = useSubmit()
  return (
    <FormDialog
      title="Save before the run?"
      submit={submit}
      does="Save and run"
      isMainFirst
      onSubmit={() =>
        submit.run(async () => {
          await saveAll(files)
          onConfirm("saved")
        })
      }
      onClose={onCancel}
      actions={
        <button type="button" className="button" onClick={() => onConfirm("as-saved-before")}>
          Run the saved version
        </button>
      }
    >
      <p>
        A run uses only what is saved. {files.length === 1 ? "This file has" : "These files have"} unsaved
        changes:
      </p>
      <ul className="confirm-scripts">
        {files.map((file) => (
          <li key={fileKey(file)}>
            <code>
              <ShownText text={filePath(file)} />
            </code>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

/** Asks about scripts that the user hasn't approved, or that have changed since. Links to their text. */
function TrustDialog({ question, onCancel, onConfirm }: QuestionProps<TrustQuestion>) {
  const { scripts, confirmation } = question
  const submit = useSubmit()
  return (
    <FormDialog
      title={scripts.every(({ isNew }) => isNew) ? "Run new scripts?" : "Run changed scripts?"}
      submit={submit}
      does={`I trust ${scripts.length === 1 ? "it" : "them"}, run`}
      isDanger
      onSubmit={() => onConfirm(confirmation)}
      onClose={onCancel}
    >
      <p>
        The workflow runs {count(scripts.length, "script")} that you have not approved. A script is a program:
        it can read your files and use the network as you can.
      </p>
      <ul className="confirm-scripts">
        {scripts.map((script) => (
          <Script key={script.path} script={script} onLook={onCancel} />
        ))}
      </ul>
    </FormDialog>
  )
}

interface ScriptProps {
  readonly script: UnknownScript
  readonly onLook: () => void
}

function Script({ script: { path, isNew }, onLook }: ScriptProps) {
  const file = fileAt(path)
  return (
    <li>
      <span className="tag">{isNew ? "new" : "changed"}</span>{" "}
      {file === undefined ? (
        <code>
          <ShownText text={path} />
        </code>
      ) : (
        <span onClick={onLook}>
          <RouteLink to={routeOfFile(file)}>
            <ShownText text={path} />
          </RouteLink>
        </span>
      )}
    </li>
  )
}

/** Shows the requests to come. The user has to type the name of the environment. */
function ProductionDialog({ question, what, onCancel, onConfirm }: QuestionProps<ProductionQuestion>) {
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
        if (names.every((name) => ownOf(typed, name) === name)) onConfirm(confirmation)
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
            value={ownOf(typed, name) ?? ""}
            fault={
              faults > 0 && ownOf(typed, name) !== name ? "That is not the environment's name." : undefined
            }
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
