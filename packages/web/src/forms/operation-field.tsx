// Chooses an operation of an API, and shows its documentation.

import type { JsonPointer } from "@callsheet/format"
import type { ApiView, OperationDetail } from "@callsheet/server/calls"
import { OperationDocs } from "./operation-docs.tsx"
import { ShownText, LongText } from "../ui/shown-text.tsx"
import { useForm } from "./context/form-context.tsx"
import { FormField } from "./form-field.tsx"
import { findOperations, namesOf, type OperationSuggestion } from "./operation-search.ts"
import { Picker } from "./picker.tsx"
import { MethodBadge } from "../ui/badges.tsx"
import { useOperations } from "../connection/queries.ts"

interface Props {
  readonly api: ApiView | undefined
  readonly pointer: JsonPointer
  readonly value: string
  readonly detail: OperationDetail | undefined
  /** Called with the operation's names for use in a file. */
  readonly onPick: (names: ReturnType<typeof namesOf>, api: string) => void
  /** Other APIs to search. */
  readonly others?: readonly string[]
  /** Called if the user empties the name. Without it, the empty name is passed on like any other. */
  readonly onEmpty?: () => void
}

const none: readonly string[] = []

export function OperationField({ api, pointer, value, detail, onPick, onEmpty, others = none }: Props) {
  const form = useForm()
  const hasDocument = api?.document !== undefined
  const own = hasDocument ? [api.name] : none
  const operations = useOperations([...own, ...others])
  const isSearchable = hasDocument || others.length > 0
  return (
    <>
      <FormField
        label="Operation"
        pointer={pointer}
        note={detail === undefined ? undefined : <OperationNote detail={detail} />}
      >
        {(props) => (
          <Picker
            {...props}
            pointer={pointer}
            value={value}
            placeholder={isSearchable ? "find an operation…" : "the API has no document"}
            find={(query) => findOperations(operations, query)}
            onPick={(suggestion) => {
              const { api: of, operation } = suggestion as OperationSuggestion
              onPick(namesOf(operation, operations.find((one) => one.api === of)?.view), of)
            }}
            onText={(text) => form.set(pointer, text)}
            onEmpty={onEmpty}
          />
        )}
      </FormField>
      {detail === undefined ? null : (
        <details className="docs-fold">
          <summary>Documentation</summary>
          <OperationDocs detail={detail} />
        </details>
      )}
    </>
  )
}

function OperationNote({ detail }: { readonly detail: OperationDetail }) {
  const { method, path, summary, deprecated } = detail
  return (
    <span className="operation-note">
      <MethodBadge method={method} />
      <code className="wrap">
        <ShownText text={path} />
      </code>
      {summary === undefined ? null : <LongText text={summary} />}
      {deprecated === true ? <span className="tag">deprecated</span> : null}
    </span>
  )
}
