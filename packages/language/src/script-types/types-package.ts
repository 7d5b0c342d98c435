// The package `@callsheet/sdk` beside a workflow's scripts: its place, its files, and the settings to compile scripts
// with it.

import type { JsonObject } from "@callsheet/format"
import { SCRIPTS_FOLDER, scriptsFolder } from "../names/scripts.ts"

const PACKAGE = "node_modules/@callsheet/sdk"

export const typesFolder = (workflow: string): string => `${scriptsFolder(workflow)}/${PACKAGE}`
/** The directory of the SDK's declarations. The types of all workflows share it. */
export const sharedTypesFolder = `${SCRIPTS_FOLDER}/${PACKAGE}`

/** Relative paths in a workflow's types: to the shared types, and to the workflow's scripts. */
export const typesPaths = { sdk: `../../../../${PACKAGE}/index.js`, scriptsFolder: "../../.." } as const

export const typesManifest = {
  name: "@callsheet/sdk",
  private: true,
  main: "index.js",
  types: "index.d.ts",
  callsheetTypes: 1,
} as const

/** Settings that override those of the project: write no files, and let scripts import `./x.ts`. */
const always: JsonObject = {
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  emitDeclarationOnly: false,
  rootDir: null,
}

/** Settings for a project without its own. They match the way that scripts run. */
const usual: JsonObject = {
  strict: true,
  target: "es2023",
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  resolveJsonModule: true,
  esModuleInterop: true,
}

interface ScriptSettings {
  /** The project's `tsconfig.json`, if there is one above the scripts. */
  readonly config: string | undefined
  readonly hasNodeTypes: boolean
  readonly scripts: readonly string[]
}

/** Returns the `tsconfig.json` that checks scripts. Paths are relative to it. */
export function scriptSettings({ config, hasNodeTypes, scripts }: ScriptSettings): JsonObject {
  const own: JsonObject =
    config === undefined
      ? { compilerOptions: { ...usual, types: hasNodeTypes ? ["node"] : [], ...always } }
      : { extends: config, compilerOptions: always }
  return { ...own, files: scripts, include: [] }
}
