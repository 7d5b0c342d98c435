// Shows the documentation of an operation: description, authentication, parameters, body, responses.

import type { ReactNode } from "react"
import type { FieldView, NamedField, OperationDetail, SecurityView } from "@callsheet/server/calls"
import { later } from "../ui/later.tsx"
import { LongText, ShownText } from "../ui/shown-text.tsx"

const [RichText, loadRichText] = later(async () => (await import("../ui/rich-text.tsx")).RichText, LongText)

/** Loads what shows descriptions, so that they don't change after they are shown. */
export const preloadDocs = loadRichText

export function OperationDocs({ detail }: { readonly detail: OperationDetail }) {
  const { summary, description, deprecated, security, parameters, body, responses } = detail
  return (
    <div className="docs" role="region" aria-label="Documentation" tabIndex={0}>
      {deprecated === true ? <p className="docs-deprecated">This operation is deprecated.</p> : null}
      {description !== undefined ? (
        <RichText text={description} />
      ) : summary !== undefined ? (
        <p>
          <ShownText text={summary} />
        </p>
      ) : null}
      <Part title="Authentication">
        {security.length === 0 ? (
          <p className="faint">none</p>
        ) : (
          <ul>
            {security.map((schemes, index) => (
              <li key={index}>
                {index === 0 ? "" : "or "}
                {schemes.length === 0 ? "none" : <ShownText text={schemes.map(schemeWords).join(" and ")} />}
              </li>
            ))}
          </ul>
        )}
      </Part>
      {parameters.length === 0 ? null : (
        <Part title="Parameters">
          <Fields fields={parameters} placeOf={(field) => parameters.find((one) => one === field)?.in} />
        </Part>
      )}
      {body === undefined ? null : (
        <Part title={`Body ${body.mediaType}${body.required ? ", required" : ""}`}>
          <Schema type={body.type} />
        </Part>
      )}
      {responses.map(({ status, description: words, body: type, headers }) => (
        <Part key={status} title={`Response ${status}`}>
          {words === undefined ? null : <RichText text={words} />}
          {headers.length === 0 ? null : (
            <p className="faint">
              Headers: <ShownText text={headers.join(", ")} />
            </p>
          )}
          {type === undefined ? <p className="faint">no documented body</p> : <Schema type={type} />}
        </Part>
      ))}
    </div>
  )
}

function schemeWords({ kind, name, place }: SecurityView): string {
  if (kind === "unsupported") return name
  return `${kind === "apiKey" && place !== undefined ? `${place.in} ${place.name}` : kind} (${name})`
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="docs-part">
      <h2>
        <ShownText text={title} />
      </h2>
      {children}
    </section>
  )
}

function Schema({ type }: { readonly type: FieldView }) {
  const fields = fieldsOf(type)
  return (
    <>
      <p className="docs-type">
        <TypeWords type={type} />
      </p>
      {fields.length === 0 ? null : <Fields fields={fields} />}
    </>
  )
}

/** Returns the fields of an object, or of the items of a list. */
const fieldsOf = ({ fields, items }: FieldView): readonly NamedField[] =>
  fields ?? (items === undefined ? [] : fieldsOf(items))

interface FieldsProps {
  readonly fields: readonly NamedField[]
  readonly placeOf?: (field: NamedField) => string | undefined
}

function Fields({ fields, placeOf }: FieldsProps) {
  return (
    <ul className="docs-fields">
      {fields.map((field, index) => {
        const inner = fieldsOf(field)
        return (
          <li key={index}>
            <code>
              <ShownText text={field.name} />
            </code>{" "}
            <span className="docs-type">
              {placeOf?.(field)} <TypeWords type={field} />
            </span>
            {field.required === true ? <span className="docs-required"> required</span> : null}
            {field.description === undefined ? null : <RichText text={field.description} />}
            {inner.length === 0 ? null : <Fields fields={inner} />}
          </li>
        )
      })}
    </ul>
  )
}

const MAX_VALUES = 20

function TypeWords({ type: { words, values = [], isCut } }: { readonly type: FieldView }) {
  const listed = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value))
  const more = values.length > MAX_VALUES ? ", …" : ""
  return (
    <>
      <ShownText text={words} />
      {listed.length === 0 ? null : (
        <>
          {": "}
          <code className="wrap">
            <ShownText text={`${listed.join(", ")}${more}`} />
          </code>
        </>
      )}
      {isCut === true ? " …" : null}
    </>
  )
}
