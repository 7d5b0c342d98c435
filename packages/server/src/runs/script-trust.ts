// Which scripts the person has said yes to: by the hash of their text, in the user's state folder, by project.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isJsonArray, isJsonObject, parseJson } from "@callsheet/format"
import type { UnknownScript } from "../calls/index.ts"
import { readPrivateFile } from "../state/state-folder.ts"
import { makePrivateFolder, projectKey } from "../state/state-folder.ts"
import { writePrivateFile } from "../state/state-folder.ts"
import { hashScript, type ScriptFile } from "./script-files.ts"

export interface ScriptTrust {
  /** Those of `scripts` whose text the person has not said yes to. */
  readonly unknown: (scripts: readonly ScriptFile[]) => readonly UnknownScript[]
  /** The person has said yes to these. */
  readonly trust: (scripts: readonly ScriptFile[]) => void
  /** The person has written this text. `path` is from the root of the project. */
  readonly trustText: (path: string, text: string) => void
  /** The same, where they had said yes to the text before. */
  readonly trustMended: (path: string, before: string, after: string) => void
}

interface ScriptTrustOptions {
  /** The user's state folder; it need not be there. */
  readonly state: string
  /** The project's folder. */
  readonly root: string
}

/** The last ones count: nobody has as many scripts. */
const MOST = 10_000

/** Where nothing can be written, the answers count as long as the application goes on. */
export function createScriptTrust({ state, root }: ScriptTrustOptions): ScriptTrust {
  const folders = [state, join(state, "trust")]
  const file = join(state, "trust", `${projectKey(root)}.json`)
  let own: readonly ScriptFile[] = []
  // Another application of the project may have asked meanwhile: the file is looked at anew each time.
  const all = (): readonly ScriptFile[] => unique([...readTrusted(file), ...own])
  const trust = (scripts: readonly ScriptFile[]): void => {
    own = unique([...own, ...scripts])
    try {
      if (folders.every((each) => makePrivateFolder(each)))
        writePrivateFile(file, `${JSON.stringify({ version: 1, scripts: all() })}\n`)
    } catch {
      // It is asked again after the next start.
    }
  }
  const unknown: ScriptTrust["unknown"] = (scripts) => {
    const trusted = all()
    const hashes = new Set(trusted.map(({ hash }) => hash))
    const paths = new Set(trusted.map(({ path }) => path))
    return scripts
      .filter(({ hash }) => !hashes.has(hash))
      .map(({ path }) => ({ path, isNew: !paths.has(path) }))
  }
  const trustText: ScriptTrust["trustText"] = (path, text) => trust([{ path, hash: hashScript(text) }])
  return {
    unknown,
    trust,
    trustText,
    trustMended: (path, before, after) => {
      if (unknown([{ path, hash: hashScript(before) }]).length === 0) trustText(path, after)
    },
  }
}

/** The last of each path and hash, and of all of them no more than are kept. */
function unique(scripts: readonly ScriptFile[]): readonly ScriptFile[] {
  const last = new Map<string, ScriptFile>()
  for (const script of scripts) {
    const key = `${script.hash} ${script.path}`
    last.delete(key)
    last.set(key, script)
  }
  return [...last.values()].slice(-MOST)
}

/** Nothing where the file is not there or says something else: then everything is asked again. */
function readTrusted(file: string): readonly ScriptFile[] {
  const text = readPrivateFile(file, (descriptor) => readFileSync(descriptor, "utf8")) ?? ""
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return []
  const { version, scripts } = parsed.value
  if (version !== 1 || scripts === undefined || !isJsonArray(scripts)) return []
  return scripts.flatMap((script) => {
    if (!isJsonObject(script)) return []
    const { path, hash } = script
    return typeof path === "string" && typeof hash === "string" ? [{ path, hash }] : []
  })
}
