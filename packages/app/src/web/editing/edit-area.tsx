// A part of the page that edits a file: undo, redo and save in it are those of the file.

import type { ReactNode } from "react"
import type { FileName } from "../../api.ts"
import { fileKey } from "./file-key.ts"

interface Props {
  readonly name: FileName
  readonly className?: string
  readonly children: ReactNode
}

export function EditArea({ name, className, children }: Props) {
  return (
    <div data-file={fileKey(name)} className={className}>
      {children}
    </div>
  )
}
