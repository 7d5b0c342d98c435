// The context of a form's fields: the file, the pointer that they edit, and their problems.

import { createContext, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from "react"
import {
  savedRequestShape,
  startsWith,
  workflowShape,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type Shape,
} from "@callsheet/format"
import { createStore, useStore, type StoreApi } from "zustand"
import type { FileName } from "@callsheet/server/calls"
import { editFile, openFileNow, undoFile } from "../../files/open-files.ts"
import { assignProblems, pointerKey, type LocatedProblem } from "../../files/text/field-problems.ts"
import { usePointerOfOpen, withoutOpen, type FieldPlace } from "./open-field.ts"
import { TextEdit } from "../../files/text/text-edit.ts"

export interface FormState {
  readonly file: FileName
  /** The pointer of the value that the form edits. All other pointers are relative to it. */
  readonly base: JsonPointer
  /** Sets a value in one undo step. Continued typing in one field extends the step. */
  readonly set: (pointer: JsonPointer, value: JsonValue) => void
  /** Removes the value and the objects that are then empty, up to the object at `upTo`. */
  readonly unset: (pointer: JsonPointer, upTo?: JsonPointer) => void
  /** Makes several edits in one undo step. Edits in a row with the same `merge` share a step. */
  readonly change: (edit: (text: TextEdit) => void, merge?: string) => void
  readonly rewrite: EditText
  readonly undo: () => void
  /** Returns the current text. It may be newer than the rendered one. */
  readonly now: () => string
}

export interface EditedText {
  readonly now: () => string
  readonly edit: EditText
  readonly undo: () => void
  readonly redo: () => void
}

/** Edits text in one undo step. Edits in a row with the same `merge` share a step. */
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
  /** Fields that other components show. Their problems appear there too. */
  readonly skips: readonly string[]
  /** Receives edits of text that isn't in a file. Must be the same function in every render. */
  readonly edited?: EditedText
  readonly children: ReactNode
}

export function FormProvider({ file, base, text, problems, skips, edited, children }: Props) {
  const place = pointerKey([pointerKey(base), JSON.stringify(file)])
  const state = useMemo(() => formState(file, base, edited ?? fileTextEditor(file)), [place, edited])
  const open = usePointerOfOpen(file)
  const located = useMemo(() => {
    const relative = open !== undefined && startsWith(open, base) ? open.slice(base.length) : undefined
    return withoutOpen(
      problems.filter(({ pointer }) => !isSkipped(pointer, skips)),
      relative,
    )
  }, [problems, skips, open, place])
  const [shown] = useState(() => createStore<ReadonlySet<string>>(() => new Set()))
  const context = useMemo(() => ({ state, text, located, shown }), [state, text, located, shown])
  return <Context value={context}>{children}</Context>
}

const isSkipped = ([first]: JsonPointer, skips: readonly string[]): boolean =>
  typeof first === "string" && skips.includes(first)

const fileTextEditor = (file: FileName): Omit<EditedText, "redo"> => ({
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
  if (context === undefined) throw new Error("a field must be inside a form")
  return context
}

export const useForm = (): FormState => useFormContext().state

/** Returns the place of a field of the form. */
export function useFieldPlace(pointer: JsonPointer): FieldPlace {
  const { file, base } = useForm()
  const key = pointerKey(pointer)
  return useMemo(() => ({ file, pointer: [...base, ...pointer] }), [file, base, key])
}

/** Returns the problems of the names in a field. */
export function useNameProblems(pointer: JsonPointer): readonly LocatedProblem[] {
  const { located } = useFormContext()
  const key = pointerKey(pointer)
  return useMemo(() => {
    const own = located.filter((one) => startsWith(one.pointer, pointer))
    return own.length === 0 ? noneLocated : own
  }, [located, key])
}

/** Returns the problems in any of these values. */
export function useProblemsIn(pointers: readonly JsonPointer[]): readonly Problem[] {
  const { located } = useFormContext()
  const key = pointers.map(pointerKey).join("\n")
  return useMemo(
    () =>
      located
        .filter((one) => pointers.some((pointer) => startsWith(one.pointer, pointer)))
        .map(({ problem }) => problem),
    [located, key],
  )
}

/** Returns the whole text. The form edits a part of it. */
export const useFormText = (): string => useFormContext().text

/** Returns the problems of a field, including those of inner values without a field. */
export function useFieldProblems(pointer: JsonPointer): readonly Problem[] {
  const { located, shown } = useFormContext()
  const key = pointerKey(pointer)
  useLayoutEffect(() => {
    shown.setState((keys) => new Set(keys).add(key), true)
    return () => shown.setState((keys) => new Set([...keys].filter((known) => known !== key)), true)
  }, [shown, key])
  return useAssigned(located, shown, key)
}

export function useOwnProblems(): readonly Problem[] {
  const { located, shown } = useFormContext()
  return useAssigned(located, shown, pointerKey([]))
}

const none: readonly Problem[] = []
const noneLocated: readonly LocatedProblem[] = []

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
