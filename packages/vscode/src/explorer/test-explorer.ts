// The Test Explorer: its profiles, and what happens if one of them runs.

import * as vscode from "vscode"
import type { Callsheet } from "../callsheet.ts"
import type { Environments } from "../environments.ts"
import type { Project, Projects } from "../projects.ts"
import type { Responses } from "../responses.ts"
import { DocumentCoverage, type ListedOperation } from "../tests/document-coverage.ts"
import { runCalls, type RunCall } from "../tests/run-arguments.ts"
import type { TestNode } from "../tests/test-tree.ts"
import { coverageOf, detailsOf } from "./file-coverage.ts"
import { runSession } from "./run-session.ts"
import { ShownRun } from "./shown-run.ts"
import { TestItems } from "./test-items.ts"

export interface ExplorerParts {
  readonly callsheet: Callsheet
  readonly projects: Projects
  readonly environments: Environments
  readonly responses: Responses
}

interface Profile {
  readonly kind: vscode.TestRunProfileKind
  /** Undefined for the environment in the status bar. */
  readonly environment?: string | undefined
}

interface RunChoice {
  readonly environments?: readonly string[] | undefined
  readonly debugs?: boolean
}

interface ProjectRun {
  readonly project: Project
  readonly calls: readonly RunCall[]
}

const { Run, Debug, Coverage } = vscode.TestRunProfileKind

export class TestExplorer implements vscode.Disposable {
  readonly items: TestItems
  readonly #controller = vscode.tests.createTestController("callsheet", "callsheet")
  readonly #parts: ExplorerParts
  readonly #main: vscode.TestRunProfile
  readonly #debug: vscode.TestRunProfile
  #reading: Promise<void> = Promise.resolve()
  #perEnvironment: readonly vscode.TestRunProfile[] = []
  readonly #listening: readonly vscode.Disposable[]

  constructor(parts: ExplorerParts) {
    this.#parts = parts
    this.items = new TestItems(this.#controller, parts.callsheet, parts.projects)
    this.#controller.refreshHandler = () => this.refresh()
    this.#main = this.#profile("Run", { kind: Run })
    this.#main.isDefault = true
    this.#debug = this.#profile("Debug Scripts", { kind: Debug })
    const coverage = this.#profile("Run with Coverage of Operations", { kind: Coverage })
    coverage.loadDetailedCoverage = (_run, file) => Promise.resolve(detailsOf(file))
    this.#listening = [
      parts.projects.onChange(() => {
        this.#reading = this.items.refresh()
      }),
      parts.environments.onChange(() => this.#addProfiles()),
    ]
  }

  async refresh(): Promise<void> {
    await this.#parts.projects.refresh()
    await this.#reading
  }

  /** Runs nodes of a project, as if the user had chosen them in the tree. */
  async run(
    project: Project,
    nodes: readonly string[],
    { environments, debugs = false }: RunChoice = {},
  ): Promise<void> {
    const items = nodes.flatMap((id) => this.items.item(project, id) ?? [])
    if (items.length === 0) {
      void vscode.window.showWarningMessage(
        "callsheet: this workflow isn't in the Test Explorer. Does it have a list of blocks?",
      )
      return
    }
    const request = new vscode.TestRunRequest(items, undefined, debugs ? this.#debug : this.#main)
    const source = new vscode.CancellationTokenSource()
    await this.#start(request, source.token, { kind: debugs ? Debug : Run, bindings: environments })
    source.dispose()
  }

  #profile(name: string, profile: Profile): vscode.TestRunProfile {
    return this.#controller.createRunProfile(
      name,
      profile.kind,
      (request, token) =>
        this.#start(request, token, {
          kind: profile.kind,
          ...(profile.environment === undefined ? {} : { environment: profile.environment }),
        }),
      false,
      undefined,
      profile.kind === Run,
    )
  }

  /** Adds a profile for each environment. */
  #addProfiles(): void {
    for (const profile of this.#perEnvironment) profile.dispose()
    this.#perEnvironment = this.#parts.environments.names.map((environment) =>
      this.#profile(`Run in ${environment}`, { kind: Run, environment }),
    )
  }

  async #start(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    profile: Profile & { readonly bindings?: readonly string[] | undefined },
  ): Promise<void> {
    const stop = new AbortController()
    const listening = token.onCancellationRequested(() => stop.abort())
    const all: ShownRun[] = []
    const createShown = (requestOf: () => vscode.TestRunRequest): ShownRun => {
      const shown = new ShownRun(() => {
        const run = this.#controller.createTestRun(requestOf())
        run.token.onCancellationRequested(() => stop.abort())
        return run
      })
      all.push(shown)
      return shown
    }
    try {
      const shown = createShown(() => request)
      if (request.continuous !== true)
        for (const item of this.#chosenItems(request))
          for (const below of this.items.below(item)) shown.open.enqueued(below)
      const sessions = this.#projectRuns(request).map((work) =>
        this.#runProject(work, { request, profile, shown, createShown, stop }),
      )
      await Promise.all(sessions)
    } catch (error) {
      void vscode.window.showErrorMessage(`callsheet could not start: ${String(error)}`)
    } finally {
      listening.dispose()
      for (const shown of all) shown.end()
    }
  }

  async #runProject({ project, calls }: ProjectRun, started: StartedRun): Promise<void> {
    const { request, profile, shown, createShown, stop } = started
    const { callsheet, environments, responses } = this.#parts
    const isContinuous = request.continuous === true
    const coverage = profile.kind === Coverage ? new DocumentCoverage() : undefined
    const choice = {
      environments: profile.bindings ?? environments.bindings(project, profile.environment),
      isDebug: profile.kind === Debug,
      isContinuous,
    }
    const shared = {
      callsheet,
      project,
      items: this.items,
      responses,
      coverage,
      choice,
      signal: stop.signal,
      chooseEnvironment: async () => {
        await environments.choose({ isNeeded: true })
        return environments.bindings(project)
      },
    }
    // Calls of one project run one after the other, because their runs may change the same data. Those that watch don't end.
    if (isContinuous)
      await Promise.all(
        calls.map((call) =>
          runSession({ ...shared, call, shown: createShown(() => this.#requestAgain(request)) }),
        ),
      )
    else for (const call of calls) if (!stop.signal.aborted) await runSession({ ...shared, call, shown })
    if (coverage === undefined) return
    const words = ["list", "operations", "--json", "--lines"]
    const json = (await callsheet.readJson(project, words)) as { operations?: ListedOperation[] } | undefined
    for (const file of coverageOf(project, coverage.lines(json?.operations ?? [])))
      shown.open.addCoverage(file)
  }

  /** Runs of one request share a result in VS Code, where a failure stays. So each session has a request of its own. */
  #requestAgain({ include, exclude, profile }: vscode.TestRunRequest): vscode.TestRunRequest {
    const current = (item: vscode.TestItem): vscode.TestItem => {
      const { project, node } = this.items.nodeOf(item) ?? {}
      return (project && node && this.items.item(project, node.id)) ?? item
    }
    return new vscode.TestRunRequest(include?.map(current), exclude?.map(current), profile, true)
  }

  #chosenItems({ include, exclude = [] }: vscode.TestRunRequest): readonly vscode.TestItem[] {
    const all: vscode.TestItem[] = []
    this.#controller.items.forEach((item) => void all.push(item))
    return (include ?? all).filter((item) => !exclude.includes(item))
  }

  /** Returns the calls of each project for what the user chose. */
  #projectRuns(request: vscode.TestRunRequest): readonly ProjectRun[] {
    const { all } = this.#parts.projects
    const isWhole = request.include === undefined && (request.exclude ?? []).length === 0
    if (isWhole) return all.map((project) => ({ project, calls: runCalls(undefined) }))
    const chosen = new Map<Project, TestNode[]>()
    const wholes: Project[] = []
    for (const item of this.#chosenItems(request)) {
      const known = this.items.nodeOf(item)
      if (known === undefined) continue
      if (known.node === undefined) wholes.push(known.project)
      else chosen.set(known.project, [...(chosen.get(known.project) ?? []), known.node])
    }
    return [
      ...wholes.map((project) => ({ project, calls: runCalls(undefined) })),
      ...[...chosen]
        .filter(([project]) => !wholes.includes(project))
        .map(([project, nodes]) => ({ project, calls: runCalls(nodes) })),
    ]
  }

  dispose(): void {
    for (const listener of this.#listening) listener.dispose()
    this.#controller.dispose()
  }
}

interface StartedRun {
  readonly request: vscode.TestRunRequest
  readonly profile: Profile & { readonly bindings?: readonly string[] | undefined }
  readonly shown: ShownRun
  readonly createShown: (requestOf: () => vscode.TestRunRequest) => ShownRun
  readonly stop: AbortController
}
