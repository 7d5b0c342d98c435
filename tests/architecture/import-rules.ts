// The only list of who may import whom. import-directions.test.ts checks imports against it. Edit a line here if a
// change is intended.

export interface PackageRule {
  /** The entries of our packages that its files may import, with the names in each package's `exports`. */
  readonly imports: readonly Entry[]
  /** The directories below src/ that may import `node:*`. */
  readonly node: "everywhere" | "nowhere" | readonly string[]
  /** The directories below src/ that may use the globals `process` and `console`. */
  readonly processGlobals: "everywhere" | "nowhere" | readonly string[]
  /** The folders of src/ in an order where each imports only itself and those before it. */
  readonly folders?: readonly string[]
}

/** Bundled with the command although it isn't in a package: the sample project's server, for `callsheet demo`. */
export const sampleServer = "examples/shop/server/"

export type PackageName =
  | "format"
  | "sdk"
  | "openapi"
  | "language"
  | "interop"
  | "project"
  | "engine"
  | "mock"
  | "server"
  | "web"
  | "editor"
  | "lsp"
  | "cli"
  | "vscode"

/** A package's `src/index.ts`, or a second entry that loads in a browser although the package as a whole doesn't. */
type Entry = PackageName | "server/calls"

/** The only modules that use Node's modules which start processes, each with the reason. */
export const processModules: Readonly<Record<string, string>> = {
  "packages/engine/src/node/programs/start-program.ts": "starts programs that findProgram found",
  "packages/engine/src/node/script/child-process.ts": "starts Node itself, for scripts",
  "packages/vscode/src/program/start-program.ts": "starts callsheet itself, from the VS Code extension",
  "packages/engine/src/node/script/child/world.ts": "refuses processes in a replay",
  "packages/engine/src/node/script/child/watch-globals.ts": "sees whether a script changes the module",
}

export const packageRules: { readonly [P in PackageName]: PackageRule } = {
  format: { imports: [], node: "nowhere", processGlobals: "nowhere" },
  sdk: { imports: [], node: "nowhere", processGlobals: "nowhere" },
  openapi: { imports: ["format"], node: "nowhere", processGlobals: "nowhere" },
  language: {
    imports: ["openapi", "format"],
    node: "nowhere",
    processGlobals: "nowhere",
    folders: [
      "names",
      "scope",
      "requests",
      "types",
      "references",
      "rename",
      "script-types",
      "suites",
      "navigation",
      "validate",
      "impact",
      "fix",
      "completion",
      "generate",
      "probe",
    ],
  },
  interop: { imports: ["openapi", "format"], node: "nowhere", processGlobals: "nowhere" },
  project: { imports: ["format"], node: "everywhere", processGlobals: ["write/process-identity"] },
  engine: {
    imports: ["language", "openapi", "sdk", "format"],
    node: ["node/"],
    // `process.getBuiltinModule` loads one of Node's modules inside a synchronous function.
    processGlobals: [
      "node/script/child",
      "node/create-node-ports.ts",
      "node/outline-store.ts",
      "node/own-files/",
      "node/cache-folder.ts",
      "node/home-folder.ts",
      "node/kill-group.ts",
      "node/user/",
      "node/programs/",
      "node/private-folder.ts",
      "node/monotonic.ts",
      "node/http/send-http.ts",
    ],
  },
  mock: {
    imports: ["engine", "openapi", "format"],
    node: "everywhere",
    processGlobals: "nowhere",
    folders: ["mock", "inbox"],
  },
  server: {
    imports: ["mock", "project", "engine", "interop", "language", "openapi", "format"],
    node: "everywhere",
    processGlobals: "nowhere",
  },
  editor: {
    imports: ["server", "project", "engine", "language", "openapi", "format"],
    node: "everywhere",
    processGlobals: "nowhere",
  },
  // Published on its own, and loaded by its name.
  lsp: { imports: [], node: "everywhere", processGlobals: "everywhere" },
  web: { imports: ["server/calls", "language", "format"], node: "nowhere", processGlobals: "nowhere" },
  cli: {
    imports: ["editor", "server", "mock", "project", "engine", "interop", "language", "openapi", "format"],
    node: "everywhere",
    processGlobals: "everywhere",
  },
  // It starts the command, and knows only its JSON.
  vscode: {
    imports: ["format"],
    node: ["program/"],
    processGlobals: ["program/", "client/"],
    folders: ["program", "tests", "client", "explorer", "commands"],
  },
}
