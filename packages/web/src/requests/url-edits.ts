// What the user types or pastes into the URL of a saved request, until it is written into the file.

import { useState, type ClipboardEvent, type KeyboardEvent } from "react"
import type { CurlView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { faultOf, type Fault } from "../connection/fault-of.ts"
import { useOperations } from "../connection/queries.ts"
import { editFile } from "../files/open-files.ts"
import { readOperation } from "../forms/completion/known-sources.ts"
import { applyCurl } from "./apply-curl.ts"
import { applyUrl, repeatedNames, type UrlEdit } from "./apply-url.ts"
import type { UrlBarProps } from "./url-bar.tsx"
import { placeOf, splitTypedUrl, type UrlPlace } from "./typed-url.ts"

/** What there is to say about the last input. */
export type UrlNote =
  | {
      readonly is: "elsewhere"
      readonly place: Extract<UrlPlace, { is: "elsewhere" }>
      readonly edit: UrlEdit
    }
  | { readonly is: "repeated"; readonly names: readonly string[] }
  | { readonly is: "curl"; readonly view: CurlView }
  | { readonly is: "fault"; readonly fault: Fault }

interface Shown {
  readonly method: string
  /** The path template. */
  readonly path: string
  /** The text of the field while the user doesn't type. */
  readonly written: string
  readonly bases: ReadonlyMap<string, string>
}

export interface UrlEdits {
  readonly typed: string | undefined
  readonly note: UrlNote | undefined
  readonly type: (text: string) => void
  /** Writes what is typed. Returns false if the user has to decide something first. */
  readonly settle: () => boolean
  /** Writes a URL whose place the user has decided. */
  readonly write: (edit: UrlEdit) => void
  readonly drop: () => void
  readonly chooseMethod: (method: string) => void
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

const isCurl = (text: string): boolean => /^\s*(?:\$\s*)?curl(?:\.exe)?\s/.test(text)

const isWholeUrl = (text: string): boolean => /^\s*https?:\/\/\S+\s*$/i.test(text)

const isAllSelected = ({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean =>
  selectionStart === 0 && selectionEnd === value.length

/** Fills in the request of a curl command. Returns what there is to say about it. */
async function readCurl(file: UrlBarProps["file"], text: string): Promise<UrlNote> {
  try {
    const view = await call("imports.readCurl", { api: file.api, text })
    const { operation } = view.request
    const detail =
      typeof operation === "string" ? await readOperation(file.api, operation, undefined) : undefined
    editFile(file, (before) => applyCurl(before, view.request, detail))
    return { is: "curl", view }
  } catch (error) {
    return { is: "fault", fault: faultOf(error, "Nothing was changed.") }
  }
}

export function useUrlEdits({ file, environment }: UrlBarProps, shown: Shown): UrlEdits {
  const [typed, setTyped] = useState<string>()
  const [note, setNote] = useState<UrlNote>()
  const [operations] = useOperations([file.api])
  const write = (edit: UrlEdit): void => {
    setTyped(undefined)
    const names = repeatedNames(edit.query)
    setNote(names.length === 0 ? undefined : { is: "repeated", names })
    editFile(file, (text) => applyUrl(text, edit, { view: operations?.view, current: shown }))
  }
  const drop = (): void => {
    setTyped(undefined)
    setNote(undefined)
  }
  const put = (text: string, method = shown.method): boolean => {
    const { origin, path, query } = splitTypedUrl(text)
    const place = placeOf({ origin, path, query }, shown.bases, environment)
    if (place.is === "here") {
      write({ method, path: place.path, query })
      return true
    }
    setTyped(text)
    setNote({ is: "elsewhere", place, edit: { method, path, query } })
    return false
  }
  const take = (text: string): boolean => {
    if (!isCurl(text)) return put(text)
    drop()
    void readCurl(file, text).then(setNote)
    return false
  }
  return {
    typed,
    note,
    type: (text) => {
      setTyped(text)
      setNote(undefined)
    },
    settle: () => {
      if (typed !== undefined && typed !== shown.written) return take(typed)
      setTyped(undefined)
      return true
    },
    write,
    drop,
    chooseMethod: (method) => void put(typed ?? shown.written, method),
    onPaste: (event) => {
      const text = event.clipboardData.getData("text")
      if (!isCurl(text) && !(isWholeUrl(text) && isAllSelected(event.currentTarget))) return
      event.preventDefault()
      take(text)
    },
    onKeyDown: (event) => {
      if (event.key !== "Escape" || (typed === undefined && note === undefined)) return
      event.stopPropagation()
      drop()
    },
  }
}
