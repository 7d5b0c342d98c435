// Form of request blocks: the request and its overrides.

import { plainDescription } from "../ui/plain-description.ts"
import { ArrowRightLeft } from "lucide-react"
import { isJsonObject, type JsonObject, type JsonPointer, type JsonValue, ownOf } from "@callsheet/format"
import type { ComponentProps } from "react"
import type { ApiView, OperationDetail, SavedRequestView } from "@callsheet/server/calls"
import { overriddenBodyTab } from "../forms/body-part.tsx"
import { ChoiceField } from "../forms/choice-field.tsx"
import { AuthenticationPart } from "../forms/authentication/authentication-part.tsx"
import { useSavedParams } from "../forms/authentication/use-authentication.ts"
import { useEnvironment } from "../environments/use-environment.ts"
import { overriddenFields } from "../forms/request/operation-request.ts"
import { nameOfOperation } from "../forms/request/request-names.ts"
import { keepOperationFocus } from "../blocks/outline-dom.ts"
import { requestFileName } from "../forms/request/request-files.ts"
import { valueOf } from "./block-edits.ts"
import { freeName, takenNames } from "@callsheet/language"
import { readOperation, useOperation } from "../forms/completion/known-sources.ts"
import { useForm, type FormState } from "../forms/context/form-context.tsx"
import { FormField } from "../forms/form-field.tsx"
import { OperationField } from "../forms/operation-field.tsx"
import type { namesOf } from "../forms/operation-search.ts"
import { ParamsPart } from "../forms/params-part.tsx"
import { Picker } from "../forms/picker.tsx"
import { TargetFold } from "../forms/target-fold.tsx"
import { useProject } from "../connection/queries.ts"
import { firstBody } from "../forms/request/body-types.ts"
import { textIn } from "../forms/value-text.ts"
import { type KindView } from "./kind-view.ts"
import { overridesAt, setInstance, setOperation } from "./request-target.ts"
import { SavedValuesPart } from "./saved-values-part.tsx"

export const request: KindView = {
  Form: RequestForm,
  icon: ArrowRightLeft,
  summary: (block) => targetSummary(block["request"]),
  fresh: ({ apis }) => ({ request: { api: apis[0] ?? "", operation: "" } }),
  color: "blue",
}

function targetSummary(target: JsonValue | undefined): string {
  if (!isJsonObject(target)) return ""
  const instance = textIn(target["instance"])
  const operation = instance === "" ? textIn(target["operation"]) : instance
  if (operation === "") return `${textIn(target["api"])} · no operation yet`
  return `${textIn(target["api"])} · ${operation}`
}

const targetFields = ["api", "resource", "operation", "instance"] as const

function RequestForm({ block }: { readonly block: JsonObject }) {
  const request = isJsonObject(block["request"]) ? block["request"] : {}
  const { data: project } = useProject()
  const [apiName, resource, operation, instance] = targetFields.map((field) => textAt(request, field))
  const api = project?.apis.find(({ name }) => name === apiName)
  const saved = savedRequest(api, resource, instance)
  const named = {
    operation: operation ?? saved?.target,
    resource: operation === undefined ? undefined : resource,
  }
  const detail = useOperation(api?.name, named.operation, named.resource)
  const overrides = isJsonObject(request["overrides"]) ? request["overrides"] : noOverrides
  const part = { upTo: overridesAt, showsRequired: instance === undefined }
  return (
    <>
      <Target block={block} request={request} api={api} detail={detail} />
      <BlockAuthentication {...{ api, named, detail, saved, params: overrides["params"] }} />
      <SavedValuesPart file={fileOf(api, saved)} pointer={overridesAt} overrides={overrides}>
        {(shown) => (
          <ParamsPart
            {...part}
            pointer={[...overridesAt, "params"]}
            params={shown["params"]}
            documented={detail?.parameters ?? []}
            tabs={[
              overriddenBodyTab({
                ...part,
                pointer: [...overridesAt, "body"],
                value: shown["body"],
                documented: detail?.body,
              }),
            ]}
          />
        )}
      </SavedValuesPart>
    </>
  )
}

interface TargetProps {
  readonly block: JsonObject
  readonly request: JsonObject
  readonly api: ApiView | undefined
  readonly detail: OperationDetail | undefined
}

/** What the block sends, in one line that opens to its fields. */
function Target({ block, request, api, detail }: TargetProps) {
  const form = useForm()
  const { data: project } = useProject()
  const [apiName = "", resource = "", operation = "", instance = ""] = targetFields.map((field) =>
    textAt(request, field),
  )
  const first = operation === "" ? noOverrides : firstFields(detail)
  return (
    <TargetFold
      method={detail?.method}
      path={detail?.path}
      words={[detail === undefined ? operation : "", instance, apiName]}
      pointers={targetFields.map((name) => ["request", name])}
      isOpen={operation === "" && instance === ""}
    >
      <ChoiceField
        label="API"
        pointer={["request", "api"]}
        value={request["api"]}
        choices={(project?.apis ?? []).map(({ name }) => [name, name] as const)}
      />
      <OperationField
        api={api}
        pointer={["request", "operation"]}
        value={operation}
        detail={detail}
        others={(project?.apis ?? []).flatMap(({ name, document }) =>
          document === undefined || name === apiName ? [] : [name],
        )}
        onPick={(names, of) => void pickOperation(form, block, { ...names, api: of, first })}
        onEmpty={() => form.unset(["request", "operation"])}
      />
      <SavedRequestField api={api} first={first} instance={instance} />
      <ResourceField detail={detail} resource={resource} />
    </TargetFold>
  )
}

interface AuthenticationProps extends Pick<
  ComponentProps<typeof AuthenticationPart>,
  "named" | "detail" | "params"
> {
  readonly api: ApiView | undefined
  readonly saved: SavedRequestView | undefined
}

/** A block without a target has nothing to authenticate. */
function BlockAuthentication({ api, saved, ...rest }: AuthenticationProps) {
  const { file } = useForm()
  const environment = useEnvironment(api?.name ?? "", file.kind === "workflow" ? file.workflow : undefined)
  const savedParams = useSavedParams(api?.name, saved?.resource, saved?.name)
  if (api === undefined || (rest.detail === undefined && saved === undefined)) return null
  return (
    <AuthenticationPart
      {...rest}
      api={api.name}
      environment={environment}
      savedParams={savedParams}
      pointer={[...overridesAt, "params"]}
      upTo={overridesAt}
    />
  )
}

const noOverrides: JsonObject = {}

/** Returns the body values that a new block for the operation starts with. */
function firstFields(detail: OperationDetail | undefined): JsonObject {
  const { body, bodyType } = firstBody(detail?.body)
  return (bodyType === undefined ? overriddenFields(body, bodyType) : undefined) ?? noOverrides
}

/** The id of a new request block, which nobody has chosen. */
const newId = /^request(?:-\d+)?$/

interface Picked extends ReturnType<typeof namesOf> {
  readonly api: string
  /** The body values that the form filled in for the operation before. */
  readonly first: JsonObject
}

/** Sets the operation, and in a new block also the id and the required body, in one undo step. */
async function pickOperation(form: FormState, block: JsonObject, picked: Picked): Promise<void> {
  const { api, operation, resource, first } = picked
  const request = isJsonObject(block["request"]) ? block["request"] : {}
  const isNew = textIn(request["operation"]) === "" && request["instance"] === undefined
  const merge = `operation of ${JSON.stringify(form.base)}`
  let isEmpty = false
  form.change((text) => {
    setOperation(text, { api, resource, operation }, first)
    isEmpty = text.read(overridesAt) === undefined
    if (isNew && newId.test(textIn(block["id"])))
      text.set(["id"], freeName(nameOfOperation(operation), takenNames(valueOf(form.now()))))
  }, merge)
  // A new id gives the block another form.
  if (isNew) keepOperationFocus()
  const wasFilledIn = request["overrides"] !== undefined
  if (!isEmpty || !(isNew || wasFilledIn)) return
  const fields = firstFields(await readOperation(api, operation, resource))
  if (Object.keys(fields).length === 0) return
  form.change((text) => {
    const isSame = text.read(["request", "operation"]) === operation
    if (isSame && text.read(overridesAt) === undefined) text.set([...overridesAt, "body"], fields)
  }, merge)
}

function textAt(object: JsonObject, field: string): string | undefined {
  const value: JsonValue | undefined = ownOf(object, field)
  return typeof value === "string" ? value : undefined
}

const savedRequest = (api: ApiView | undefined, resource: string | undefined, instance: string | undefined) =>
  api?.requests.find(
    (request) => request.name === instance && (resource === undefined || request.resource === resource),
  )

const fileOf = (api: ApiView | undefined, saved: SavedRequestView | undefined) =>
  api && saved && requestFileName(api.name, { resource: saved.resource, request: saved.name })

interface SavedProps {
  readonly api: ApiView | undefined
  /** The body values that the form filled in for the operation before. */
  readonly first: JsonObject
  readonly instance: string
}

function SavedRequestField({ api, first, instance }: SavedProps) {
  const form = useForm()
  const requests = api?.requests ?? []
  if (requests.length === 0 && instance === "") return null
  const pointer = ["request", "instance"]
  const find = (query: string) => {
    const word = query.toLowerCase()
    return requests
      .filter((one) => `${one.resource}/${one.name} ${one.target ?? ""}`.toLowerCase().includes(word))
      .map((one) => ({
        text: one.name,
        note: [one.resource, one.target, plainDescription(one.description ?? "")]
          .filter((part) => part !== undefined && part !== "")
          .join(" · "),
        saved: one,
      }))
  }
  return (
    <PickerField
      label="Saved request"
      pointer={pointer}
      value={instance}
      placeholder="none"
      find={find}
      onPick={(suggestion) => {
        const picked = (suggestion as ReturnType<typeof find>[number]).saved
        form.change((text) => setInstance(text, { resource: picked.resource, instance: picked.name }, first))
      }}
    />
  )
}

interface ResourceProps {
  readonly detail: OperationDetail | undefined
  readonly resource: string
}

function ResourceField({ detail, resource }: ResourceProps) {
  const form = useForm()
  const pointer = ["request", "resource"]
  const find = (query: string) =>
    (detail?.resources ?? [])
      .filter((name) => name.toLowerCase().includes(query.toLowerCase()))
      .map((text) => ({ text }))
  return (
    <PickerField
      label="Resource"
      pointer={pointer}
      value={resource}
      placeholder="only if the name is ambiguous"
      find={find}
      onPick={({ text }) => form.set(pointer, text)}
    />
  )
}

interface PickerFieldProps extends Pick<
  ComponentProps<typeof Picker>,
  "value" | "placeholder" | "find" | "onPick"
> {
  readonly label: string
  readonly pointer: JsonPointer
}

/** A picker whose text may also be typed, for a name with placeholders. */
function PickerField({ label, pointer, ...picker }: PickerFieldProps) {
  const form = useForm()
  return (
    <FormField label={label} pointer={pointer}>
      {(props) => (
        <Picker
          {...props}
          {...picker}
          pointer={pointer}
          onText={(text) => form.set(pointer, text)}
          onEmpty={() => form.unset(pointer)}
        />
      )}
    </FormField>
  )
}
