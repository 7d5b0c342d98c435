// The one step that authenticates a request: names a variable, stores its secret in environments, and uses it.

import { useRef, useState } from "react"
import type { CredentialPlace, EnvironmentsView } from "@callsheet/server/calls"
import { useEnvironments } from "../../environments/use-environments.ts"
import { SecretField, type SecretElement } from "../../environments/secret-field.tsx"
import { checkVariable } from "../../environments/variable-draft.ts"
import { announce } from "../../ui/announcement.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { CheckField, ChoiceField, TextField } from "../../ui/form-fields.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { visibleText } from "../../ui/visible-text.ts"
import {
  credentialForms,
  faultOfField,
  hasFreeName,
  paramText,
  variablesOf,
  wordsOf,
  type CredentialField,
  type CredentialForm,
  type Typed,
  type WantedCredential,
} from "./credential-forms.ts"
import { saveCredentials } from "./save-credentials.ts"

interface Props {
  readonly api: string
  readonly wanted: WantedCredential
  /** The environment in which the request is sent. */
  readonly environment: string | undefined
  /** Sets the parameter that uses the variable. */
  readonly onUse: (place: CredentialPlace, text: string) => void
  readonly onClose: () => void
}

export function CredentialDialog(props: Props) {
  const { data: view } = useEnvironments(props.api)
  return view === undefined ? null : <Dialog {...props} view={view} />
}

/** The environment that is created if the API has none. */
const FIRST = "local"

type DialogProps = Props & { readonly view: EnvironmentsView }

function Dialog({ view, ...props }: DialogProps) {
  const { api, wanted, onUse, onClose } = props
  const submit = useSubmit()
  const state = useCredential(view, props)
  const { form, existing, name, place, environments } = state
  const onSubmit = (): void => {
    const typed = state.check()
    if (typed === undefined) return
    submit.run(async () => {
      const variables = variablesOf(wanted, form, { typed, name })
      if (existing === undefined) await saveCredentials({ api, variables, environments })
      state.forget()
      const text = paramText(wanted, existing ?? name)
      if (text !== undefined) onUse(place, text)
      announce("Saved the authentication of this request")
      onClose()
    })
  }
  return (
    <FormDialog title={titleOf(wanted)} submit={submit} does="Save" onSubmit={onSubmit} onClose={onClose}>
      <CredentialFields view={view} wanted={wanted} state={state} />
    </FormDialog>
  )
}

const titleOf = (wanted: WantedCredential): string =>
  wanted.scheme === undefined ? wordsOf(wanted) : `${wordsOf(wanted)} for ${visibleText(wanted.scheme)}`

type CredentialState = ReturnType<typeof useCredential>

/** The input of the dialog, except the secrets. Those are only in their elements. */
function useCredential(view: EnvironmentsView, { wanted, environment }: Props) {
  const forms = credentialForms(wanted)
  const [id, setId] = useState(forms[0]?.id)
  const form: CredentialForm = forms.find((one) => one.id === id) ?? { id: "", label: "", fields: [] }
  const known = view.environments.map((column) => column.name)
  const [environments, setEnvironments] = useState<readonly string[]>(() =>
    known.length === 0 ? [FIRST] : known.length === 1 ? known : known.filter((one) => one === environment),
  )
  const [name, setName] = useState(wanted.variable)
  const [place, setPlace] = useState(wanted.place)
  const [existing, setExisting] = useState<string>()
  const [texts, setTexts] = useState<Typed>(new Map())
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map())
  const elements = useRef(new Map<string, { current: SecretElement | null }>())
  const elementOf = (key: string): { current: SecretElement | null } => {
    const element = elements.current.get(key) ?? { current: null }
    elements.current.set(key, element)
    return element
  }
  const valueOf = ({ key, isSecret }: CredentialField): string =>
    (isSecret ? elementOf(key).current?.value : texts.get(key)) ?? ""
  /** Shows the faults, or returns the typed values. */
  const check = (): Typed | undefined => {
    const found = new Map<string, string>()
    const fields = existing === undefined ? form.fields : []
    for (const field of fields) {
      const fault = faultOfField(field, valueOf(field))
      if (fault !== undefined) found.set(`field ${field.key}`, fault)
    }
    const nameFault = name === "" ? "Enter a name." : checkVariable(name, [])
    if (nameFault !== undefined && existing === undefined) found.set("name", nameFault)
    if (place.name.trim() === "") found.set("place", "Enter a name.")
    if (environments.length === 0 && existing === undefined)
      found.set("environments", "Choose at least one environment.")
    setFaults(found)
    return found.size > 0 ? undefined : new Map(fields.map((field) => [field.key, valueOf(field)]))
  }
  return {
    forms,
    form,
    environments,
    name,
    place,
    existing,
    texts,
    faults,
    setId,
    setEnvironments,
    setName,
    setPlace,
    setExisting,
    setText: (key: string, text: string): void => setTexts((before) => new Map(before).set(key, text)),
    elementOf,
    check,
    forget: (): void => {
      for (const { current } of elements.current.values()) if (current !== null) current.value = ""
    },
  }
}

interface FieldsProps {
  readonly view: EnvironmentsView
  readonly wanted: WantedCredential
  readonly state: CredentialState
}

function CredentialFields({ view, wanted, state }: FieldsProps) {
  const { forms, form, existing, faults } = state
  return (
    <>
      {forms.length > 1 ? (
        <ChoiceField
          label="How"
          value={form.id}
          options={forms.map(({ id, label }) => ({ value: id, label }))}
          onChange={state.setId}
        />
      ) : null}
      {wanted.scheme === undefined ? <ByHandFields view={view} wanted={wanted} state={state} /> : null}
      {existing === undefined ? (
        <>
          {form.fields.map((field, index) => (
            <ValueField key={`${form.id} ${field.key}`} field={field} isFirst={index === 0} state={state} />
          ))}
          {hasFreeName(wanted, form) ? (
            <TextField
              label="Variable"
              isCode
              value={state.name}
              onChange={state.setName}
              fault={faults.get("name")}
              note={nameNote(wanted, state.name)}
            />
          ) : (
            <p className="field-note">Its variables start with {wanted.variable}_.</p>
          )}
          <EnvironmentChecks view={view} state={state} />
        </>
      ) : null}
    </>
  )
}

function nameNote({ scheme, variable }: WantedCredential, name: string): string {
  if (scheme === undefined) return "Declared as a secret. Other requests can use it, too."
  return name === variable
    ? "Declared as a secret. Every request of this API that needs it uses it."
    : "Declared as a secret. Only this request uses it."
}

interface ValueProps {
  readonly field: CredentialField
  readonly isFirst: boolean
  readonly state: CredentialState
}

function ValueField({ field, isFirst, state }: ValueProps) {
  const { key, label, isSecret, isOptional } = field
  const fault = state.faults.get(`field ${key}`)
  const words = isOptional === true ? `${label} (optional)` : label
  if (isSecret)
    return (
      <SecretField
        label={words}
        isFirst={isFirst}
        field={state.elementOf(key)}
        fault={fault}
        note="Stored among the secrets, which aren't in version control."
      />
    )
  return (
    <TextField
      label={words}
      isFirst={isFirst}
      value={state.texts.get(key) ?? ""}
      onChange={(text) => state.setText(key, text)}
      fault={fault}
    />
  )
}

/** Without a document: the place of an API key, and a secret that exists already. */
function ByHandFields({ view, wanted, state }: FieldsProps) {
  const { place, existing } = state
  const secrets = view.variables.filter(({ secret, type }) => secret && type === "string")
  return (
    <>
      {wanted.kind === "apiKey" ? (
        <>
          <ChoiceField
            label="Sent in"
            value={place.in}
            options={(["header", "query", "cookie"] as const).map((value) => ({
              value,
              label: placeWords[value],
            }))}
            onChange={(text) =>
              state.setPlace({ ...place, in: text === "query" || text === "cookie" ? text : "header" })
            }
          />
          <TextField
            label="Name"
            isCode
            value={place.name}
            onChange={(name) => state.setPlace({ ...place, name })}
            fault={state.faults.get("place")}
          />
        </>
      ) : null}
      {secrets.length === 0 ? null : (
        <ChoiceField
          label="Secret"
          value={existing ?? ""}
          options={[
            { value: "", label: "A new secret" },
            ...secrets.map(({ name }) => ({ value: name, label: visibleText(name) })),
          ]}
          onChange={(name) => state.setExisting(name === "" ? undefined : name)}
        />
      )}
    </>
  )
}

const placeWords = { header: "a header", query: "the query", cookie: "a cookie" } as const

function EnvironmentChecks({ view, state }: Omit<FieldsProps, "wanted">) {
  const { environments, setEnvironments } = state
  if (view.environments.length === 0)
    return <p className="field-note">This creates the first environment, {FIRST}.</p>
  const fault = state.faults.get("environments")
  return (
    <fieldset className="auth-environments">
      <legend className="field-label">For</legend>
      {view.environments.map(({ name, effectiveLevel, isBroken }) =>
        isBroken ? null : (
          <CheckField
            key={name}
            label={visibleText(name)}
            note={effectiveLevel === name || effectiveLevel === "local" ? "" : effectiveLevel}
            isOn={environments.includes(name)}
            onChange={(isOn) =>
              setEnvironments(isOn ? [...environments, name] : environments.filter((one) => one !== name))
            }
          />
        ),
      )}
      {fault === undefined ? null : (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
