// A part of the page that edits text. Inside it, undo, redo and save apply to this text.

import type { ReactNode } from "react"
import type { FileName } from "@callsheet/server/calls"
import { fileKey } from "./file-key.ts"

interface Props {
  /** A file, or a key for text that isn't in a file. */
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
