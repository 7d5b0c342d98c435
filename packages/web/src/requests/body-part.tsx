// The body of a saved request: its type and content.

import { isJsonObject, type BodyType, type JsonObject, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { BodyHead } from "../forms/body-part.tsx"
import { ChoiceField } from "../forms/choice-field.tsx"
import { useForm } from "../forms/context/form-context.tsx"
import { FormField } from "../forms/form-field.tsx"
import type { PartTab } from "../forms/params-part.tsx"
import { TextField } from "../forms/text-field.tsx"
import { useUndoNotice } from "../kinds/check-part.tsx"
import { formatValue } from "../forms/value-text.ts"
import { TokenField } from "../forms/tokens/token-field.tsx"
import { bodyAs, bodyTypeOf, bodyTypes, emptyBody, likelyType } from "../forms/request/body-types.ts"
import { JsonBody } from "./json-body.tsx"
import { PartRows } from "./part-rows.tsx"

interface Props {
  readonly request: JsonObject
  readonly documented: BodyTypeView | undefined
}

export const bodyTab = (request: JsonObject, documented: BodyTypeView | undefined): PartTab => ({
  name: "Body",
  count: countValues(request["body"]),
  isMissing: documented?.required === true && request["body"] === undefined,
  isDocumented: documented !== undefined || request["body"] !== undefined,
  pointers: [["body"], ["bodyType"]],
  render: () => <BodyPart request={request} documented={documented} />,
})

/** The fields of an object. Another body is one value. */
const countValues = (body: JsonValue | undefined): number =>
  body === undefined ? 0 : isJsonObject(body) ? Object.keys(body).length : 1

function BodyPart({ request, documented }: Props) {
  const form = useForm()
  const undo = useUndoNotice()
  const { body } = request
  const type = bodyTypeOf(request)
  const choose = (next: string): void => {
    const chosen = bodyTypes.find(([known]) => known === next)?.[0] ?? "json"
    const { body: changed, isLost } = bodyAs(body, chosen)
    form.change((text) => {
      if (chosen === "json") text.unset(["bodyType"])
      else text.set(["bodyType"], chosen)
      if (body !== undefined) text.set(["body"], changed)
    })
    undo.show(isLost ? "Removed the body because it had another type." : undefined)
  }
  const add = (): void => {
    const likely = request["bodyType"] === undefined ? likelyType(documented) : type
    form.change((text) => {
      text.set(["body"], emptyBody(likely))
      if (likely !== "json") text.set(["bodyType"], likely)
    })
  }
  return (
    <section className="form-part" aria-label="Body">
      <BodyHead documented={documented} />
      {body === undefined && request["bodyType"] === undefined ? (
        <button type="button" className="form-add" onClick={add}>
          Add body
        </button>
      ) : (
        <>
          <ChoiceField
            label="Type"
            pointer={["bodyType"]}
            value={request["bodyType"] ?? "json"}
            choices={bodyTypes}
            onChoose={choose}
          />
          {undo.notice}
          <Content type={type} request={request} documented={documented} />
          <button
            type="button"
            className="form-add"
            onClick={() => form.change((text) => text.unset(["body"]).unset(["bodyType"]))}
          >
            Remove body
          </button>
        </>
      )}
    </section>
  )
}

function Content({ type, request, documented }: Props & { readonly type: BodyType }) {
  const { body } = request
  const isToken = typeof body === "string" && type !== "text" && type !== "file"
  if ((type === "form" || type === "multipart") && !isToken)
    return (
      <PartRows
        body={isJsonObject(body) ? body : {}}
        takesFiles={type === "multipart"}
        documented={documented}
      />
    )
  if (type === "text") return <TextBody text={body === undefined ? "" : formatValue(body)} />
  if (type === "file")
    return (
      <TextField
        label="File"
        pointer={["body"]}
        value={body}
        reads="text"
        placeholder="files/invoice.pdf"
        note="The path from the project root."
        isRequired
      />
    )
  return <JsonBody body={body} documented={documented} />
}

function TextBody({ text }: { readonly text: string }) {
  const form = useForm()
  return (
    <FormField label="Text" pointer={["body"]}>
      {(props) => (
        <TokenField text={text} reads="text" pointer={["body"]}>
          <textarea
            {...props}
            className="form-input form-area form-code"
            rows={Math.min(16, Math.max(4, text.split("\n").length + 1))}
            spellCheck={false}
            value={text}
            onChange={({ target }) => form.set(["body"], target.value)}
          />
        </TokenField>
      )}
    </FormField>
  )
}
