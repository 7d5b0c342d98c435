// `callsheet app`: starts the app for a project and prints its link.

import { platform } from "node:os"
import { fileURLToPath } from "node:url"
import { stateFolder, type Logins, type ProjectState } from "@callsheet/engine"
import {
  askForLink,
  createEnvironmentHandlers,
  createFileHandlers,
  createImportHandlers,
  createLoginHandlers,
  createMockHandlers,
  createProjectHandlers,
  createRepairHandlers,
  createRunHandlers,
  createSnapshotHandlers,
  createTestHandlers,
  joinEvents,
  planningInThread,
  previewingInThread,
  ChangeSets,
  readAssets,
  readPortFiles,
  startApp,
  writePortFile,
  type RunningApp,
} from "@callsheet/server"
import { CallsheetError } from "@callsheet/format"
import { isProjectRoot } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import { createSample } from "../sample/create-sample.ts"
import { createSampleServers } from "../sample/sample-servers.ts"
import { browserOpener, openBrowser } from "../open-browser.ts"
import { openAppRoot } from "../open-root.ts"
import type { Options } from "../args/options.ts"
import { readNumber } from "../args/read-option.ts"
import { reportError } from "../report-error.ts"
import { printable } from "../text/printable.ts"

export const app: Command = async (call) => {
  const where = readWhere(call.options)
  const root = await openAppRoot(call)
  const place = { state: stateFolder(call.environment), root }
  if (call.options.has("print-link")) return printLink(call, place)
  const onBug = (error: unknown): void =>
    void reportError(error, { output: call.screen.err, debug: call.options.has("debug") })
  return withInterrupts(call.exit, async ({ ended, exitCode }) => {
    const parts = createParts(call, place, onBug)
    try {
      const { handlers, events } = parts
      // The built page is next to the running bundle.
      const assets = readAssets(fileURLToPath(new URL("./page", import.meta.url)))
      const running = await startApp({ handlers, events, ...where, root, assets, onBug })
      parts.setRemote(running.isRemote)
      const removePortFile = writePortFile(place, running)
      try {
        if (!isProjectRoot(root)) call.screen.err.write(`${notices.noProjectYet(printable(root))}\n`)
        const samplePort = await parts.sample.startFor(root)
        if (samplePort !== undefined) call.screen.err.write(`${notices.sampleServers(samplePort)}\n`)
        printWelcome(call, { running, root, isFound: removePortFile !== undefined })
        await ended
      } finally {
        removePortFile?.()
        await running.close()
      }
    } finally {
      await parts.close()
    }
    return exitCode() ?? 0
  })
}

function createParts(call: CommandCall, place: ProjectState, onBug: (error: unknown) => void) {
  const { environment: processEnvironment, scriptEntry } = call
  // Nobody can send a request before the server listens, so this value is never used.
  let remote = true
  const own = {
    ...place,
    processEnvironment,
    scriptEntry,
    onBug,
    isRemote: () => remote,
    logins: new Map() satisfies Logins,
  }
  const project = createProjectHandlers(own)
  const { overview, sources, noteChange } = project
  const changeSets = new ChangeSets(project)
  const previewImport = previewingInThread(new URL("./import-thread.js", scriptEntry))
  const withPorts = portsOf({ root: place.root, processEnvironment, scriptEntry })
  const runs = createRunHandlers({ ...own, previewImport, withPorts })
  const logins = createLoginHandlers({ ...own, known: project, withPorts })
  const { trustText, trustFixed, noteRename } = runs
  const shared = { ...own, overview, noteChange, changeSets }
  const files = createFileHandlers({ ...shared, sources, trustText, trustFixed, noteRename })
  const environments = createEnvironmentHandlers({
    ...shared,
    keptOutside: [files.keptOutside, runs.keptOutside],
    say: (line) => call.screen.err.write(`${line}\n`),
  })
  const previews = createPreviewHandlers({ ...shared, files, snapshotsOf: runs.snapshotsOf })
  const mocks = createMockHandlers(shared)
  const sample = createSampleServers()
  const imports = createImportHandlers({
    ...shared,
    createSample: () => createSample(place.root, sample.start),
    previewImport,
  })
  return {
    handlers: {
      ...imports,
      ...previews,
      ...project.handlers,
      ...environments.handlers,
      ...changeSets.handlers,
      ...runs.handlers,
      ...logins.handlers,
      ...mocks.handlers,
      ...files.handlers,
    },
    events: joinEvents([project.events, runs.events, mocks.events]),
    setRemote: (isRemote: boolean): void => void (remote = isRemote),
    sample,
    close: async (): Promise<void> => {
      await sample.close()
      project.close()
      logins.close()
      await mocks.close()
      await runs.close()
      await files.close()
    },
  }
}

type PreviewOptions = Omit<Parameters<typeof createTestHandlers>[0], "drafts" | "planGeneration"> &
  Pick<CommandCall, "scriptEntry"> &
  Omit<Parameters<typeof createRepairHandlers>[0], "drafts"> &
  Parameters<typeof createSnapshotHandlers>[0] & { readonly files: ReturnType<typeof createFileHandlers> }

/** Returns the handlers that preview a change which callsheet works out: of repairs, generated tests and snapshots. */
function createPreviewHandlers({ files, ...options }: PreviewOptions) {
  const drafts = async () => (await files.handlers["drafts.list"]({})).drafts
  const planGeneration = planningInThread(new URL("./generate-thread.js", options.scriptEntry))
  return {
    ...createRepairHandlers({ ...options, drafts }),
    ...createTestHandlers({ ...options, drafts, planGeneration }),
    ...createSnapshotHandlers(options),
  }
}

type RunOptions = Parameters<typeof createRunHandlers>[0]

interface PortsOfProject extends Pick<RunOptions, "root" | "processEnvironment"> {
  readonly scriptEntry: CommandCall["scriptEntry"]
}

/** Loads the engine when something is sent for the first time. */
const portsOf =
  (own: PortsOfProject): RunOptions["withPorts"] =>
  async (start, use) => {
    const { withPorts } = await import("../session/with-ports.ts")
    return withPorts({ ...own, ...start }, use)
  }

function readWhere(options: Options) {
  const [port = "", host] = [options.value("port"), options.value("host")]
  if (options.has("print-link") && (options.has("port") || host !== undefined))
    throw new CallsheetError(messages.usage.printLink())
  const form = { pattern: /^\d{1,5}$/, max: 65_535, wrong: messages.usage.port(port) }
  return {
    port: readNumber(options.value("port"), form),
    host,
    allowRemote: options.has("allow-remote"),
  }
}

async function printLink({ screen }: CommandCall, place: ProjectState) {
  for (const file of readPortFiles(place)) {
    const link = await askForLink(file)
    if (link === undefined) continue
    screen.out.write(`${link}\n`)
    return 0
  }
  throw new CallsheetError(messages["app-missing"].notRunning())
}

interface Welcome {
  readonly running: RunningApp
  readonly root: string
  /** True if `--print-link` finds the app. */
  readonly isFound: boolean
}

function printWelcome({ screen, options, environment }: CommandCall, { running, root, isFound }: Welcome) {
  const { out, err, isInteractive } = screen
  out.write(`${running.link}\n`)
  err.write(`${notices.link(isFound)}\n${notices.stopApp()}\n`)
  if (running.isRemote) err.write(`${err.style("yellow", "warning:")} ${notices.remote()}\n`)
  if (!isInteractive || options.has("no-open")) return
  // Other users can read a command line on Linux, but there the server can tell who opens the link.
  const link = running.makeLink(platform() === "linux" ? "own-user" : "anyone")
  const opener = browserOpener(link, platform(), environment)
  if (opener !== undefined) openBrowser(opener, { root, processEnvironment: environment })
}
