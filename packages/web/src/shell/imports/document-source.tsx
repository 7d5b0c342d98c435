// Where an API's document comes from, and the button that fetches it again.

import { useState } from "react"
import { later } from "../../ui/later.tsx"
import { LoadingDialog } from "../../ui/dialog.tsx"
import { ShownText } from "../../ui/shown-text.tsx"

const [UpdateDialog] = later(async () => (await import("./update-dialog.tsx")).UpdateDialog, LoadingDialog)

interface Props {
  readonly api: string
  readonly source: string
}

export function DocumentSource({ api, source }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="update-source">
      <code className="wrap">
        <ShownText text={source} />
      </code>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Update from source…
      </button>
      {isOpen ? <UpdateDialog api={api} source={source} onClose={() => setOpen(false)} /> : null}
    </span>
  )
}
