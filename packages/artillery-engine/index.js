// An Artillery engine: every virtual user is one run of a callsheet workflow.

import { dirname, resolve } from "node:path"
import { prepare } from "callsheet"

/** The settings in `config.engines.callsheet`. */
const settingNames = ["project", "env", "vars", "timeoutMs", "concurrency"]

/** Only whoever starts Artillery can allow production: a load-test file can't set environment variables. */
const isConfirmed = () => process.env["CALLSHEET_YES"] === "1"
const howToConfirm = "to allow production, set the environment variable CALLSHEET_YES=1"

/** The exit code of Artillery if a workflow can't run, as that of `callsheet run`. */
const EXIT_CODE = 2

export default class CallsheetEngine {
  #script
  #template
  /** The prepared workflows by name. */
  #workflows = new Map()
  #isRefusalShown = false

  constructor(script, _events, { template }) {
    this.#script = script
    this.#template = template
  }

  /** Reads and plans the workflows of all scenarios. Artillery waits for it only because it is an async function. */
  async init() {
    try {
      await this.#prepare()
    } catch (error) {
      // Artillery prints only the message, and would exit with 0.
      if (globalThis.artillery !== undefined) globalThis.artillery.suggestedExitCode = EXIT_CODE
      throw error.hint === undefined ? error : new Error(`${error.message} (${error.hint})`, { cause: error })
    }
    // A worker thread of Artillery ends without any other notice.
    process.once("exit", () => {
      for (const prepared of this.#workflows.values()) void prepared.close()
    })
  }

  async #prepare() {
    const { config, scenarios = [], before, after } = this.#script
    const settings = readSettings(config.engines.callsheet ?? {}, folderOf(this.#script))
    const own = [...scenarios, before, after].filter((scenario) => scenario && isOwn(scenario, config))
    for (const [at, { workflow, name = `scenarios[${at}]` }] of own.entries()) {
      if (typeof workflow !== "string")
        throw new Error(
          `the scenario "${name}" has no workflow; set "workflow" to the name of a callsheet workflow`,
        )
      if (!this.#workflows.has(workflow))
        this.#workflows.set(
          workflow,
          await prepare({ ...settings, workflow, exchanges: false, yes: isConfirmed() }),
        )
    }
  }

  /** Returns the function that runs one virtual user. Metrics go to `events`, which belongs to the scenarios. */
  createScenario({ workflow, inputs = {} }, events) {
    const prepared = this.#workflows.get(workflow)
    return async (context, done) => {
      events.emit("started")
      done(await this.#runUser({ prepared, workflow, inputs }, context, events), context)
    }
  }

  /** Runs one virtual user. Returns an error if it failed. */
  async #runUser({ prepared, workflow, inputs }, context, events) {
    try {
      const { status, durationMs, error } = await prepared.run({
        inputs: this.#template(inputs, context),
        onEvent: (event) => report(event, events),
      })
      events.emit("histogram", `callsheet.workflow_time.${workflow}`, durationMs)
      if (status === "passed") return null
      events.emit("error", error?.code ?? status)
      if (error?.code === "confirm-required") this.#showRefusal(error.message)
      return new Error(error?.message ?? status)
    } catch (error) {
      events.emit("error", error.code ?? "unexpected")
      return error
    }
  }

  /** Explains once why no virtual user may run. Artillery itself would only count the errors. */
  #showRefusal(message) {
    if (this.#isRefusalShown) return
    this.#isRefusalShown = true
    process.stderr.write(`error: ${message} (${howToConfirm})\n`)
    if (globalThis.artillery !== undefined) globalThis.artillery.suggestedExitCode = EXIT_CODE
  }
}

/**
 * The engine of an Artillery before 2.0.34, which loads it by `require` and never calls `init`. It says so before the
 * load test starts, and fails it. An error in the constructor would be followed by one of Artillery's own.
 */
class OldArtilleryEngine {
  #message = `artillery-engine-callsheet needs Artillery 2.0.34 or newer, which needs Node 22.18 or newer. This is an older Artillery on Node ${process.versions.node}. Update Node, then run npm install artillery@latest`

  constructor() {
    process.stderr.write(`error: ${this.#message}\n`)
  }

  createScenario() {
    throw new Error(this.#message)
  }
}
export { OldArtilleryEngine as "module.exports" }

const isOwn = ({ engine }, config) => (engine ?? config.engine) === "callsheet"

/** Paths in a load test are relative to its file. */
const folderOf = ({ _configPath: config, _scriptPath: script }) => {
  const file = config ?? script
  return file === undefined ? process.cwd() : dirname(resolve(file))
}

function readSettings(settings, folder) {
  if (Object.hasOwn(settings, "yes"))
    throw new Error(
      `config.engines.callsheet has the setting "yes", but a load-test file can't confirm a run against production; remove it (${howToConfirm})`,
    )
  const unknown = Object.keys(settings).filter((name) => !settingNames.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `config.engines.callsheet has unknown settings: ${unknown.join(", ")}; the known ones are ${settingNames.join(", ")}`,
    )
  return { ...settings, project: resolve(folder, settings.project ?? ".") }
}

/** Reports an event of a run. Names of metrics contain only names from files of the project, never values. */
function report(event, events) {
  if (event.type === "request.sent") events.emit("counter", "callsheet.requests", 1)
  else if (event.type === "response.received") {
    const { response, answers } = event
    const operation = answers === undefined ? "undocumented" : `${answers.api}.${answers.name}`
    events.emit("counter", `callsheet.codes.${response.status}`, 1)
    events.emit("counter", `callsheet.codes.${operation}.${response.status}`, 1)
    events.emit("histogram", "callsheet.response_time", response.durationMs)
    events.emit("histogram", `callsheet.response_time.${operation}`, response.durationMs)
  } else if (
    event.type === "block.finished" &&
    event.error !== undefined &&
    event.error.code !== "child-failed"
  )
    events.emit("counter", `callsheet.failures.${event.error.code}`, 1)
}
