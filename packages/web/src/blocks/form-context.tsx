// What the fields of a form have in common: the file and the place in it that they edit, and the problems of each.

import { createContext, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from "react"
import {
  savedRequestShape,
  workflowShape,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type Shape,
} from "@callsheet/format"
import { createStore, useStore, type StoreApi } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { editFile, openFileNow, undoFile } from "../editing/open-files.ts"
import { assignProblems, pointerKey, type LocatedProblem } from "./field-problems.ts"
import { TextEdit } from "./text-edit.ts"

interface FormState {
  readonly file: FileName
  /** The way in the file to what the form edits. All other pointers lead from there. */
  readonly base: JsonPointer
  /** One step of undo; typing in one field goes on with the step before. */
  readonly set: (pointer: JsonPointer, value: JsonValue) => void
  /** Removes it, and objects that are empty then, from `upTo` on inwards. */
  readonly unset: (pointer: JsonPointer, upTo?: JsonPointer) => void
  /** Several edits as one step; those of one `merge` that follow each other are one too. */
  readonly change: (edit: (text: TextEdit) => void, merge?: string) => void
  /** Takes the whole text for another. */
  readonly rewrite: EditText
  /** Takes the last step of the whole text back. */
  readonly undo: () => void
  /** The whole text, as it is right after a step too. */
  readonly now: () => string
}

/** A whole text that forms edit, with its history. */
export interface EditedText {
  readonly now: () => string
  readonly edit: EditText
  readonly undo: () => void
  readonly redo: () => void
}

/** One step of undo; those of one `merge` that follow each other are one too. */
type EditText = (edit: (text: string) => string, merge?: string) => void

interface FormContextValue {
  readonly state: FormState
  readonly text: string
  readonly located: readonly LocatedProblem[]
  readonly shown: StoreApi<ReadonlySet<string>>
}

const Context = createContext<FormContextValue | undefined>(undefined)

interface Props {
  readonly file: FileName
  readonly base: JsonPointer
  readonly text: string
  readonly problems: readonly LocatedProblem[]
  /** Fields that others show, with what is wrong with them. */
  readonly skips: readonly string[]
  /** Of a text that is in no file: where its edits go. The same from one render to the next. */
  readonly edited?: EditedText
  readonly children: ReactNode
}

export function FormProvider({ file, base, text, problems, skips, edited, children }: Props) {
  const place = pointerKey([pointerKey(base), JSON.stringify(file)])
  const state = useMemo(() => formState(file, base, edited ?? textOf(file)), [place, edited])
  const located = useMemo(
    () => problems.filter(({ pointer }) => !isSkipped(pointer, skips)),
    [problems, skips],
  )
  const [shown] = useState(() => createStore<ReadonlySet<string>>(() => new Set()))
  const context = useMemo(() => ({ state, text, located, shown }), [state, text, located, shown])
  return <Context value={context}>{children}</Context>
}

const isSkipped = ([first]: JsonPointer, skips: readonly string[]): boolean =>
  typeof first === "string" && skips.includes(first)

const textOf = (file: FileName): Omit<EditedText, "redo"> => ({
  now: () => openFileNow(file).text,
  edit: (edit, merge) => editFile(file, edit, { merge }),
  undo: () => undoFile(file),
})

function shapeOf(file: FileName): Shape | undefined {
  if (file.kind === "workflow") return workflowShape
  return file.kind === "request" ? savedRequestShape : undefined
}

function formState(
  file: FileName,
  base: JsonPointer,
  { edit: rewrite, undo, now }: Omit<EditedText, "redo">,
): FormState {
  const apply = (edit: (text: TextEdit) => void, merge?: string): void =>
    rewrite((text) => {
      const edited = new TextEdit(text, base, shapeOf(file))
      edit(edited)
      return edited.text
    }, merge)
  const mergeOf = (pointer: JsonPointer): string => `field ${pointerKey([...base, ...pointer])}`
  return {
    file,
    base,
    set: (pointer, value) => apply((text) => text.set(pointer, value), mergeOf(pointer)),
    unset: (pointer, upTo) => apply((text) => text.unset(pointer, upTo), mergeOf(pointer)),
    change: apply,
    rewrite,
    undo,
    now,
  }
}

function useFormContext(): FormContextValue {
  const context = useContext(Context)
  if (context === undefined) throw new Error("a field stands in a form")
  return context
}

export const useForm = (): FormState => useFormContext().state

/** The whole text that the form edits a part of. */
export const useFormText = (): string => useFormContext().text

/** The problems of a field, and of what is inside it and has no field of its own. */
export function useFieldProblems(pointer: JsonPointer): readonly Problem[] {
  const { located, shown } = useFormContext()
  const key = pointerKey(pointer)
  useLayoutEffect(() => {
    shown.setState((keys) => new Set(keys).add(key), true)
    return () => shown.setState((keys) => new Set([...keys].filter((known) => known !== key)), true)
  }, [shown, key])
  return useAssigned(located, shown, key)
}

/** The problems that no field shows. */
export function useOwnProblems(): readonly Problem[] {
  const { located, shown } = useFormContext()
  return useAssigned(located, shown, pointerKey([]))
}

const none: readonly Problem[] = []

function useAssigned(
  located: readonly LocatedProblem[],
  store: StoreApi<ReadonlySet<string>>,
  key: string,
): readonly Problem[] {
  const shown = useStore(store)
  return useMemo(
    () => (located.length === 0 ? none : (assignProblems(located, shown).get(key) ?? none)),
    [located, shown, key],
  )
}
