// The fields that take files and folders, chosen or dropped.

import { useEffect, useState, type DragEvent, type ReactNode } from "react"
import { count } from "../../ui/formats.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { droppedFiles, type GivenFiles } from "./given-files.ts"

/** A file that is dropped next to the form must not replace the page. */
export function useNoStrayDrop(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
    }
    for (const type of ["dragover", "drop"] as const) window.addEventListener(type, refuse)
    return () => {
      for (const type of ["dragover", "drop"] as const) window.removeEventListener(type, refuse)
    }
  }, [])
}

/** Takes files and a folder that are dropped anywhere on the form. */
export function DropZone({
  onDrop,
  children,
}: {
  readonly onDrop: (dropped: Promise<GivenFiles>) => void
  readonly children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent, next: boolean): void => {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    setOver(next)
  }
  return (
    <div
      className={isOver ? "drop-zone drop-zone-over" : "drop-zone"}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        if (event.dataTransfer.types.includes("Files")) onDrop(droppedFiles(event.dataTransfer))
      }}
    >
      {children}
    </div>
  )
}

interface FileFieldProps {
  readonly label: string
  readonly note: string
  readonly picks?: keyof typeof pickWords
  readonly isFirst?: boolean
  readonly files: readonly File[]
  /** The name of the chosen folder. */
  readonly folder?: string
  readonly onChange: (files: readonly File[]) => void
}

const pickWords = { file: "Choose a file…", files: "Choose files…", folder: "Choose a folder…" } as const

export function FileField(props: FileFieldProps) {
  const { label, note, picks = "file", isFirst = false, files, folder = "", onChange } = props
  const chosen =
    picks !== "folder"
      ? files.map(({ name }) => name)
      : files.length === 0
        ? []
        : [`${folder} (${count(files.length, "file")})`]
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="file-field">
        <label className="button file-button">
          {pickWords[picks]}
          <input
            type="file"
            className="only-read"
            aria-label={label}
            multiple={picks === "files"}
            {...(picks === "folder" ? { webkitdirectory: "" } : {})}
            data-first={isFirst ? "" : undefined}
            onChange={({ target }) => {
              onChange([...(picks === "files" ? files : []), ...(target.files ?? [])])
              // The same file can be chosen again after it was removed.
              target.value = ""
            }}
          />
        </label>
        <ul className="file-names" aria-label={`${label}: chosen`}>
          {chosen.map((name, index) => (
            <li key={index}>
              <code>
                <ShownText text={name} />
              </code>
              <button
                type="button"
                className="button button-quiet"
                aria-label={`Remove ${visibleText(name)}`}
                onClick={() => onChange(picks === "folder" ? [] : files.toSpliced(index, 1))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      </div>
      <p className="field-note">{note}</p>
    </div>
  )
}
