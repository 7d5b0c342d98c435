// The fields of a run: an environment for each API, and the workflow's inputs.

import { ownOf } from "@callsheet/format"
import { useId, type ReactNode } from "react"
import type { RunForm, RunFormApi, RunFormInput } from "@callsheet/server/calls"
import { DescriptionLine } from "../../ui/description-line.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import {
  chooseEnvironment,
  chosenEnvironment,
  overrideOf,
  useEnvironmentChoices,
} from "../../environments/environment-choices.ts"
import { changeDraft, useDraft, environmentField, inputField, type FieldFaults } from "../state/drafts.ts"
import { chooseInbox, inboxField, useInboxChoice } from "../state/inbox-choice.ts"
import { LevelBadge } from "../../ui/badges.tsx"

interface RunFieldsProps {
  readonly form: RunForm
  readonly faults: FieldFaults
  /** False if the project's environment is enough. */
  readonly showsEnvironments: boolean
  /** Covers what is below, so that nothing moves under the pointer. */
  readonly isOver: boolean
}

export function RunFields({ form, faults, showsEnvironments, isOver }: RunFieldsProps) {
  const { workflow, inputs, hasInbox = false } = form
  const apis = showsEnvironments ? form.apis : []
  if (apis.length + inputs.length === 0 && !hasInbox) return null
  return (
    <div className={isOver ? "run-fields run-fields-over" : "run-fields"}>
      {apis.map((api) => (
        <EnvironmentField
          key={api.api}
          workflow={workflow}
          api={api}
          fault={ownOf(faults, environmentField(api.api))}
        />
      ))}
      {inputs.map((input) => (
        <InputField
          key={input.name}
          workflow={workflow}
          input={input}
          fault={ownOf(faults, inputField(input.name))}
        />
      ))}
      {hasInbox ? <InboxFields faults={faults} /> : null}
    </div>
  )
}

interface FieldProps {
  readonly label: ReactNode
  readonly fault: string | undefined
  readonly children: (props: {
    readonly id: string
    readonly "aria-invalid": boolean
    readonly "aria-describedby": string
  }) => ReactNode
}

function Field({ label, fault, children }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-invalid": fault !== undefined, "aria-describedby": `${id}-fault` })}
      <p id={`${id}-fault`} className="field-error">
        {fault === undefined ? null : <LongText text={fault} />}
      </p>
    </div>
  )
}

interface EnvironmentProps {
  readonly workflow: string
  readonly api: RunFormApi
  readonly fault: string | undefined
}

function EnvironmentField({ workflow, api, fault }: EnvironmentProps) {
  const choices = useEnvironmentChoices()
  const chosen = chosenEnvironment(api, choices, workflow)
  const override = overrideOf(api, choices, workflow)
  const level = api.environments.find(({ name }) => name === chosen)?.level
  const label = (
    <>
      <ShownText text={api.api} /> <span className="field-note">environment</span>
    </>
  )
  return (
    <Field label={label} fault={chosen === undefined ? fault : undefined}>
      {(props) => (
        <span className="field-environment">
          <select
            {...props}
            data-level={level}
            value={override ?? ""}
            onChange={({ target }) =>
              chooseEnvironment([api], workflow, target.value === "" ? undefined : target.value)
            }
          >
            <option value="">
              {chosen === undefined
                ? "Choose…"
                : override === undefined
                  ? `As the project: ${visibleText(chosen)}`
                  : "As the project"}
            </option>
            {api.environments.map(({ name }) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </select>
          {level === undefined || level === chosen ? null : <LevelBadge level={level} />}
        </span>
      )}
    </Field>
  )
}

const typeWords = { string: "text", number: "number", boolean: "true or false" } as const

interface InputProps {
  readonly workflow: string
  readonly input: RunFormInput
  readonly fault: string | undefined
}

function InputField({ workflow, input, fault }: InputProps) {
  const { name, type, required, default: known, description } = input
  const value = useDraft(workflow).get(name) ?? ""
  const change = (text: string): void => changeDraft(workflow, name, text)
  const isNeeded = required && known === undefined
  const standard = known === undefined ? "" : typeof known === "string" ? known : JSON.stringify(known)
  const label = (
    <>
      <ShownText text={name} />
      <span className="field-note">
        {typeWords[type]}
        {isNeeded ? ", required" : ""}
      </span>
    </>
  )
  return (
    <Field label={label} fault={fault}>
      {(props) => (
        <>
          {type === "boolean" ? (
            <select
              {...props}
              aria-required={isNeeded}
              value={value}
              onChange={(event) => change(event.target.value)}
            >
              <option value="">{standard === "" ? "not given" : `default: ${standard}`}</option>
              <option value="true">true</option>
              <option value="false">false</option>
            </select>
          ) : (
            <input
              {...props}
              type="text"
              inputMode={type === "number" ? "decimal" : "text"}
              aria-required={isNeeded}
              autoComplete="off"
              spellCheck={false}
              value={value}
              placeholder={standard === "" ? "" : visibleText(standard)}
              onChange={(event) => change(event.target.value)}
            />
          )}
          {description === undefined ? null : (
            <span className="field-note">
              <DescriptionLine text={description} />
            </span>
          )}
        </>
      )}
    </Field>
  )
}

const inboxFields = [
  { name: "port", label: "inbox port", placeholder: "any free one" },
  { name: "url", label: "inbox URL", placeholder: "that of a tunnel" },
] as const

/** Where the inbox of runs is. Both fields may stay empty. */
function InboxFields({ faults }: Pick<RunFieldsProps, "faults">) {
  const choice = useInboxChoice()
  return inboxFields.map(({ name, label, placeholder }) => (
    <Field key={name} label={label} fault={ownOf(faults, inboxField(name))}>
      {(props) => (
        <input
          {...props}
          type="text"
          inputMode={name === "port" ? "numeric" : "url"}
          autoComplete="off"
          spellCheck={false}
          value={choice[name]}
          placeholder={placeholder}
          onChange={({ target }) => chooseInbox(name, target.value)}
        />
      )}
    </Field>
  ))
}
