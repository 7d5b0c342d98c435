// Decides whether the scripts of a run may be loaded. Stores hashes of approved scripts in the user's state directory.

import { hash } from "node:crypto"
import type { ScriptContents } from "@callsheet/engine"
import { shapes, type Project } from "@callsheet/format"
import type { RunOrder, TrustQuestion, UnknownScript } from "../calls/index.ts"
import { text } from "../calls/names.ts"
import { PrivateFolder, projectKey, type ProjectState } from "@callsheet/engine"
import type { Confirmations } from "./production-gate.ts"

const { array, object, required, version } = shapes

const scriptFile = object({
  path: required(text, "The script's path from the project's root, with links resolved and `/`."),
  hash: required(text, "The hash of the text."),
})
export type ScriptFile = shapes.TypeOf<typeof scriptFile>

const trustFile = object({
  version: required(version, "The version of the format."),
  scripts: required(
    array(() => scriptFile),
    "Newest last.",
  ),
})

type ScriptTrust = ReturnType<typeof createScriptTrust>

const MAX_SCRIPTS = 10_000

/** Creates the list of approvals. If it can't be written to disk, it lasts until the app stops. */
export function createScriptTrust({ state, root }: ProjectState) {
  const folder = new PrivateFolder(state, "trust")
  const name = `${projectKey(root)}.json`
  let own: readonly ScriptFile[] = []
  // Another app of the same project may have added approvals, so read the file each time.
  const all = (): readonly ScriptFile[] =>
    unique([...(folder.readJson(name, trustFile)?.scripts ?? []), ...own])
  const trust = (scripts: readonly ScriptFile[]): void => {
    own = unique([...own, ...scripts])
    folder.write(name, `${JSON.stringify({ version: 1, scripts: all() })}\n`)
  }
  const unknown = (scripts: readonly ScriptFile[]): readonly UnknownScript[] => {
    const trusted = all()
    const hashes = new Set(trusted.map(({ hash }) => hash))
    const paths = new Set(trusted.map(({ path }) => path))
    return scripts
      .filter(({ hash }) => !hashes.has(hash))
      .map(({ path }) => ({ path, isNew: !paths.has(path) }))
  }
  const trustText = (path: string, text: string): void => trust([{ path, hash: hashScript(text) }])
  return {
    /** The files whose contents the user hasn't approved. */
    unknown,
    trust,
    trustText,
    trustFixed: (path: string, before: string, after: string): void => {
      if (unknown([{ path, hash: hashScript(before) }]).length === 0) trustText(path, after)
    },
  }
}

export const hashScript = (content: string | Uint8Array): string => hash("sha256", content)

function unique(scripts: readonly ScriptFile[]): readonly ScriptFile[] {
  const last = new Map<string, ScriptFile>()
  for (const script of scripts) {
    const key = `${script.hash} ${script.path}`
    last.delete(key)
    last.set(key, script)
  }
  return [...last.values()].slice(-MAX_SCRIPTS)
}

type TrustAnswer =
  | { readonly question: TrustQuestion }
  | { readonly question?: never; readonly contents: ScriptContents }

/** Returns the contents of approved scripts, or a question. `order` may contain the answer to it. */
export async function askForTrust(
  project: Project,
  order: RunOrder,
  { trust, confirmations }: { readonly trust: ScriptTrust; readonly confirmations: Confirmations },
): Promise<TrustAnswer> {
  const { workflow, trust: answer } = order
  // Loaded late, because it loads the engine, which only runs need.
  const { findScriptFiles } = await import("./script-files.ts")
  const { files, contents } = await findScriptFiles(project)
  const scripts = trust.unknown(files)
  if (scripts.length === 0) return { contents }
  const subject = hash("sha256", JSON.stringify(["trust", workflow, files]))
  if (answer === undefined || !confirmations.take(answer, subject))
    return { question: { confirmation: confirmations.issue(subject), scripts } }
  trust.trust(files)
  return { contents }
}
