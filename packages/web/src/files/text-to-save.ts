// Asks the area of a file before the file is saved, because its text may contain what should not get into Git.

import type { FileName } from "@callsheet/server/calls"

type FileOf<K extends FileName["kind"]> = FileName & { readonly kind: K }

/** Returns the text to save. Undefined if the user cancels. `onDisk` is the text of the file, if it exists. */
type TextToSave<K extends FileName["kind"]> = (
  name: FileOf<K>,
  text: string,
  onDisk: string | undefined,
) => Promise<string | undefined>

const asked: { request?: TextToSave<"request"> } = {}

/** Call this once, at the start. */
export const askBeforeSavingRequests = (ask: TextToSave<"request">): void => void (asked.request = ask)

export const textToSave = async (
  name: FileName,
  text: string,
  onDisk: string | undefined,
): Promise<string | undefined> =>
  name.kind !== "request" || asked.request === undefined ? text : asked.request(name, text, onDisk)
