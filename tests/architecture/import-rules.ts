// Who may import whom: the one list that import-directions.test.ts holds every import against. Edit a line here when a change is meant.

export interface PackageRule {
  /** The entries of our packages that its files may import, as each package's `exports` names them. */
  readonly imports: readonly Entry[]
  /** Where, below src/, `node:*` may be imported: everywhere, nowhere, or in these folders. */
  readonly node: "everywhere" | "nowhere" | readonly string[]
  /** Where, below src/, the globals `process` and `console` may be named. */
  readonly processGlobals: "everywhere" | "nowhere" | readonly string[]
  /** The folders of src/ in an order in which each imports only itself and those before it. */
  readonly folders?: readonly string[]
}

/** What the command bundles from outside the packages: the server of the sample project, for `callsheet demo`. */
export const sampleServer = "examples/shop/server/"

export type PackageName =
  | "format"
  | "sdk"
  | "openapi"
  | "language"
  | "project"
  | "engine"
  | "server"
  | "web"
  | "cli"

/** A package's `src/index.ts`, or a second entry that loads in a browser although the package as a whole doesn't. */
type Entry = PackageName | "server/calls"

export const packageRules: { readonly [P in PackageName]: PackageRule } = {
  format: { imports: [], node: "nowhere", processGlobals: "nowhere" },
  sdk: { imports: [], node: "nowhere", processGlobals: "nowhere" },
  openapi: { imports: ["format"], node: "nowhere", processGlobals: "nowhere" },
  language: {
    imports: ["openapi", "format"],
    node: "nowhere",
    processGlobals: "nowhere",
    folders: ["names", "scope", "requests", "types", "references", "rename", "script-types", "validate"],
  },
  project: { imports: ["format"], node: "everywhere", processGlobals: ["write/process-identity"] },
  engine: {
    imports: ["language", "openapi", "sdk", "format"],
    node: ["node/"],
    // `process.getBuiltinModule` loads a module of Node's in the middle of a synchronous function.
    processGlobals: ["node/script/child", "node/random.ts", "node/outline-store.ts", "node/cache-folder.ts"],
  },
  server: {
    imports: ["project", "engine", "language", "openapi", "format"],
    node: "everywhere",
    processGlobals: "nowhere",
  },
  web: { imports: ["server/calls", "language", "format"], node: "nowhere", processGlobals: "nowhere" },
  cli: {
    imports: ["server", "project", "engine", "language", "openapi", "format"],
    node: "everywhere",
    processGlobals: "everywhere",
  },
}
