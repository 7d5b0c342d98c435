// The contents of one file while a change is made. Callers must check that the file parses.

import {
  deleteJsonAt,
  editedText,
  renameJsonKey,
  renameSecret,
  setJsonAt,
  setSecret,
  unsetSecret,
  type EditedJson,
  type EditedSecrets,
  type JsonPointer,
  type JsonValue,
  type Shape,
} from "@callsheet/format"

class EditedText {
  readonly start: string
  text: string

  constructor(start: string) {
    this.start = start
    this.text = start
  }

  protected take(edited: EditedJson | EditedSecrets): void {
    this.text = editedText(edited)
  }
}

export class JsonText extends EditedText {
  /** Sets a value, or removes the key if `value` is undefined. */
  set(path: JsonPointer, value: JsonValue | undefined, shape?: Shape): void {
    this.take(value === undefined ? deleteJsonAt(this.text, path) : setJsonAt(this.text, path, value, shape))
  }

  /** Deletes a key. Returns true if the key existed. */
  delete(path: JsonPointer): boolean {
    const before = this.text
    this.set(path, undefined)
    return this.text !== before
  }

  rename(path: JsonPointer, to: string): void {
    this.take(renameJsonKey(this.text, path, to))
  }
}

export class SecretsText extends EditedText {
  /** Sets a secret. Returns a reason if no quoting can express the value. */
  set(name: string, value: string): string | undefined {
    const edited = setSecret(this.text, name, value)
    if (!edited.ok && edited.code === "secret-unquotable") return edited.reason
    this.take(edited)
    return undefined
  }

  /** Removes a secret. Returns false and keeps it if an unclosed quote would then include other lines. */
  unset(name: string): boolean {
    const edited = unsetSecret(this.text, name)
    if (edited.ok) this.text = edited.text
    return edited.ok
  }

  rename(name: string, to: string): void {
    this.take(renameSecret(this.text, name, to))
  }
}
