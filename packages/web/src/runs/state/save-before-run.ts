// A run uses the files on disk, so the page saves them first. The user can choose to be asked. The browser remembers it.

import { create } from "zustand"
import { filePath, type FileName } from "@callsheet/server/calls"
import { UserError } from "../../connection/fault-of.ts"
import { lasting } from "../../connection/window-storage.ts"
import { openFileNow, saveFile } from "../../files/open-files.ts"
import { routeOf } from "../../routes/route.ts"
import { commandEntry, type Entry } from "../../search/entries.ts"
import { askAboutUnsaved } from "./questions.ts"

const key = "callsheet asks before a run saves"

const useAsks = create<{ readonly asks: boolean }>(() => ({ asks: lasting.getItem(key) === "true" }))

/** Saves the files, or asks. Undefined if the user cancels. Throws a `UserError` if a file can't be saved. */
export async function saveBeforeRun(
  unsaved: readonly FileName[],
): Promise<"saved" | "as-saved-before" | undefined> {
  if (useAsks.getState().asks) return askAboutUnsaved(unsaved)
  await saveAll(unsaved)
  return "saved"
}

export async function saveAll(files: readonly FileName[]): Promise<void> {
  for (const file of files) {
    if (await saveFile(file)) continue
    const { failure } = openFileNow(file)
    throw new UserError(
      `${filePath(file)} was not saved${failure === undefined ? "" : `: ${failure.message}`}`,
    )
  }
}

/** The command of the palette that changes the setting. */
export function saveCommands(): readonly Entry[] {
  const { asks } = useAsks.getState()
  return [
    commandEntry({
      id: "ask before a run saves",
      name: asks ? "Save files before a run without asking" : "Ask before a run saves files",
      route: routeOf(window.location.hash),
      action: () => setAsks(!asks),
    }),
  ]
}

function setAsks(asks: boolean): void {
  useAsks.setState({ asks })
  lasting.setItem(key, String(asks))
}
