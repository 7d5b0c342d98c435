// A control whose value may be inherited: gray until the user types over it. Then it can go back.

import type { FocusEvent, ReactNode } from "react"
import { RotateCcw } from "lucide-react"
import type { JsonPointer } from "@callsheet/format"
import { useForm } from "./context/form-context.tsx"
import { useInherited } from "./inheritance.ts"
import { RowButton } from "./value-row.tsx"

interface Props {
  readonly pointer: JsonPointer
  /** The accessible name of the control. */
  readonly label: string
  readonly children: ReactNode
}

/** The control of a field, gray if its value is inherited. Typing over it makes it the form's own. */
export function InheritedControl({ pointer, label, children }: Props) {
  const form = useForm()
  const inherited = useInherited(pointer)
  if (inherited === undefined) return children
  if (!inherited.isOverridden)
    return (
      <span className="inherited" title="From the saved request. Type to override it." onFocus={selectAll}>
        {children}
      </span>
    )
  return (
    <span className="overridden">
      {children}
      <RowButton
        name={`Reset ${label} to the saved value`}
        title="Reset to the saved value"
        icon={RotateCcw}
        onPress={() => form.change((text) => text.unset(pointer, inherited.upTo))}
      />
    </span>
  )
}

/** Typing then replaces the inherited text. */
function selectAll({ target }: FocusEvent): void {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) target.select()
}
