// Offers to turn a plain password into a secret, at the field in which it was typed.

import { useState } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import { useReading } from "../completion/roots.ts"
import { useForm } from "../context/form-context.tsx"
import { later } from "../../ui/later.tsx"
import { isPlain } from "./plain-passwords.ts"

const [PasswordDialog] = later(async () => (await import("./password-dialog.tsx")).PasswordDialog)

interface Props {
  readonly pointer: JsonPointer
  readonly label: string
  readonly value: JsonValue | undefined
}

export function PasswordOffer({ pointer, label, value }: Props) {
  const form = useForm()
  const api = useReading()?.api
  const [isOpen, setOpen] = useState(false)
  if (api === undefined || !isPlain(value)) return null
  return (
    <p className="param-advice">
      Keep this password out of Git.{" "}
      <button type="button" className="link" onClick={() => setOpen(true)}>
        Make it a secret…
      </button>
      {isOpen ? (
        <PasswordDialog
          api={api}
          passwords={[{ pointer, label, value }]}
          onStored={([name = ""]) => {
            setOpen(false)
            form.change((text) => text.set(pointer, `{{${name}}}`))
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </p>
  )
}
