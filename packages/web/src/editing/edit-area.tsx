// A part of the page that edits a text: undo, redo and save in it are those of the text.

import type { ReactNode } from "react"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"

interface Props {
  /** A file, or the key of what is edited and is none. */
  readonly name: FileName | string
  readonly className?: string
  readonly children: ReactNode
}

export function EditArea({ name, className, children }: Props) {
  return (
    <div data-file={typeof name === "string" ? name : fileKey(name)} className={className}>
      {children}
    </div>
  )
}
