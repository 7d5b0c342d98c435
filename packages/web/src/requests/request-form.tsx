// The form of a saved request: target, parameters and body.

import { plainDescription } from "../ui/plain-description.ts"
import { useRef } from "react"
import { isJsonObject, savedRequestShape, type JsonObject, type JsonPointer } from "@callsheet/format"
import type { FileName, OperationDetail } from "@callsheet/server/calls"
import { ReadingContext } from "../forms/completion/roots.ts"
import { locateProblems, useLocatedProblems } from "../files/text/field-problems.ts"
import { FormProvider, useForm } from "../forms/context/form-context.tsx"
import { focusField, FormField, OwnProblems } from "../forms/form-field.tsx"
import { ParamsPart, type PartTab } from "../forms/params-part.tsx"
import { ShapeField } from "../forms/shape-field.tsx"
import { TargetFold } from "../forms/target-fold.tsx"
import { useOperation } from "../forms/completion/known-sources.ts"
import { formatValue } from "../forms/value-text.ts"
import { useShownProblem } from "../files/shown-problem.ts"
import { useEnvironment } from "../environments/use-environment.ts"
import { AuthenticationPart } from "../forms/authentication/authentication-part.tsx"
import { bodyTab } from "./body-part.tsx"
import { useProject } from "../connection/queries.ts"
import { TargetFields } from "./target-fields.tsx"
import { useRequestReading } from "./use-request-reading.ts"
import { targetOf, templateParameters } from "../forms/request/operation-request.ts"
import type { OpenFile } from "../files/file-state.ts"

interface Props {
  readonly name: FileName & { readonly kind: "request" }
  readonly file: OpenFile
}

const root: JsonPointer = []
const none: readonly string[] = []

export function RequestForm({ name, file }: Props) {
  const { value, text } = file
  const problems = useLocatedProblems(text, file.problems)
  const reading = useRequestReading(name.api)
  const form = useRef<HTMLDivElement>(null)
  useShownProblem(
    name,
    (problem) => focusField(form.current, locateProblems(text, [problem])[0]?.pointer ?? root),
    value !== undefined,
  )
  if (value === undefined) return <p className="form-fault">The text is not valid JSON: fix it under JSON.</p>
  if (!isJsonObject(value))
    return <p className="form-fault">A saved request must be an object: fix it under JSON.</p>
  return (
    <ReadingContext value={reading}>
      <FormProvider file={name} base={root} text={text} problems={problems} skips={none}>
        <div ref={form} tabIndex={-1}>
          <Fields api={name.api} request={value} />
        </div>
      </FormProvider>
    </ReadingContext>
  )
}

function Fields({ api, request }: { readonly api: string; readonly request: JsonObject }) {
  const target = targetOf(request)
  const detail = useOperation(api, target)
  const { data: project } = useProject()
  const hasDocument = project?.apis.find(({ name }) => name === api)?.document !== undefined
  const documented = detail?.parameters ?? templateParameters(request["path"])
  return (
    <div className="request-form">
      <OwnProblems />
      <TargetFold
        method={undefined}
        path={undefined}
        words={aboutWords(request, detail, hasDocument)}
        pointers={[["operation"], ["description"]]}
        isOpen={detail === undefined && request["path"] === undefined}
      >
        <TargetFields api={api} request={request} detail={detail} />
        <DescriptionField value={request["description"]} />
      </TargetFold>
      <AuthenticationPart
        api={api}
        named={{ operation: target }}
        detail={detail}
        environment={useEnvironment(api, undefined)}
        params={request["params"]}
        pointer={["params"]}
        upTo={["params"]}
      />
      <ParamsPart
        pointer={["params"]}
        upTo={["params"]}
        params={request["params"]}
        documented={documented}
        showsRequired
        tabs={[bodyTab(request, detail?.body), settingsTab(request)]}
      />
    </div>
  )
}

/** The method and the path are in the bar. */
function aboutWords(
  { operation, description }: JsonObject,
  detail: OperationDetail | undefined,
  hasDocument: boolean,
): readonly string[] {
  const line = typeof description === "string" ? plainDescription(description) : ""
  const unknown = hasDocument ? "not an operation of the document" : "no OpenAPI document describes it"
  const name = typeof operation === "string" ? operation : (detail?.name ?? unknown)
  return [name, line === "" ? (detail?.summary ?? "") : line]
}

const settings = ["timeoutMs", "followRedirects"] as const

const settingsTab = (request: JsonObject): PartTab => ({
  name: "Settings",
  count: settings.filter((name) => request[name] !== undefined).length,
  pointers: settings.map((name) => [name]),
  render: () => (
    <div className="form-part">
      <ShapeField
        of={request}
        shape={savedRequestShape}
        name="timeoutMs"
        label="Timeout"
        placeholder="default"
        unit="ms"
      />
      <ShapeField
        of={request}
        shape={savedRequestShape}
        name="followRedirects"
        label="Redirects"
        unit="are followed"
      />
    </div>
  ),
})

function DescriptionField({ value }: { readonly value: JsonObject[string] | undefined }) {
  const form = useForm()
  const pointer = ["description"]
  const text = value === undefined ? "" : formatValue(value)
  return (
    <FormField label="Description" pointer={pointer}>
      {(props) => (
        <textarea
          {...props}
          className="form-input form-area"
          rows={Math.min(8, text.split("\n").length)}
          value={text}
          onChange={({ target }) =>
            target.value === "" ? form.unset(pointer) : form.set(pointer, target.value)
          }
        />
      )}
    </FormField>
  )
}
