// The tree of the Test Explorer: reads the tests of each project and keeps a test item for each node.

import * as vscode from "vscode"
import type { Callsheet } from "../callsheet.ts"
import type { Project, Projects } from "../projects.ts"
import type { ListedTests } from "../tests/listed-tests.ts"
import { rowNode, testTree, type TestNode } from "../tests/test-tree.ts"

export interface KnownNode {
  readonly project: Project
  /** Absent for the item of a whole project. */
  readonly node: TestNode | undefined
}

interface ProjectTests {
  readonly listed: ListedTests
  readonly items: Map<string, vscode.TestItem>
}

const nothing: ListedTests = { tests: [] }

export class TestItems {
  readonly #controller: vscode.TestController
  readonly #callsheet: Callsheet
  readonly #projects: Projects
  readonly #tests = new Map<string, ProjectTests>()
  readonly #nodes = new WeakMap<vscode.TestItem, KnownNode>()

  constructor(controller: vscode.TestController, callsheet: Callsheet, projects: Projects) {
    this.#controller = controller
    this.#callsheet = callsheet
    this.#projects = projects
  }

  async refresh(): Promise<void> {
    const { all } = this.#projects
    const read = await Promise.all(all.map(async (project) => [project, await this.#read(project)] as const))
    this.#tests.clear()
    const tops: vscode.TestItem[] = []
    for (const [project, listed] of read) {
      const items = this.#build(project, listed)
      if (all.length === 1) tops.push(...items)
      else tops.push(this.#projectItem(project, items))
    }
    this.#controller.items.replace(tops)
  }

  /** The tests as they were listed, by which events are understood. */
  listed(project: Project): ListedTests {
    return this.#tests.get(project.root)?.listed ?? nothing
  }

  nodeOf(item: vscode.TestItem): KnownNode | undefined {
    return this.#nodes.get(item)
  }

  item(project: Project, id: string): vscode.TestItem | undefined {
    return this.#tests.get(project.root)?.items.get(id)
  }

  /** Adds the item of a row that ran. */
  addRow(project: Project, entry: string, row: number): void {
    const parent = this.item(project, entry)
    const known = parent && this.nodeOf(parent)
    if (parent === undefined || known?.node === undefined) return
    const node = rowNode(known.node, row)
    if (this.item(project, node.id) === undefined) parent.children.add(this.#create(project, node))
  }

  /** Yields an item with everything below it. */
  *below(item: vscode.TestItem): Generator<vscode.TestItem> {
    const waiting = [item]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      yield next
      next.children.forEach((child) => void waiting.push(child))
    }
  }

  async #read(project: Project): Promise<ListedTests> {
    const json = await this.#callsheet.readJson(project, ["list", "tests", "--json"])
    return isListedTests(json) ? json : nothing
  }

  #build(project: Project, listed: ListedTests): readonly vscode.TestItem[] {
    const items = new Map<string, vscode.TestItem>()
    this.#tests.set(project.root, { listed, items })
    const tops: vscode.TestItem[] = []
    for (const node of testTree(listed)) {
      const item = this.#create(project, node)
      const parent = node.parent === undefined ? undefined : items.get(node.parent)
      if (parent === undefined) tops.push(item)
      else parent.children.add(item)
    }
    return tops
  }

  #create(project: Project, node: TestNode): vscode.TestItem {
    const uri = vscode.Uri.joinPath(project.uri, node.file)
    const item = this.#controller.createTestItem(`${project.root}\n${node.id}`, node.label, uri)
    if (node.description !== undefined) item.description = node.description
    item.range = rangeAt(node.place)
    // Keeps the order of the file. Workflows are files, which VS Code sorts by their names.
    const order = node.order ?? node.place?.line
    if (order !== undefined) item.sortText = String(order).padStart(9, "0")
    this.#tests.get(project.root)?.items.set(node.id, item)
    this.#nodes.set(item, { project, node })
    return item
  }

  #projectItem(project: Project, items: readonly vscode.TestItem[]): vscode.TestItem {
    const item = this.#controller.createTestItem(project.root, project.label, project.uri)
    item.children.replace(items)
    this.#nodes.set(item, { project, node: undefined })
    return item
  }
}

const isListedTests = (json: unknown): json is ListedTests =>
  typeof json === "object" && json !== null && "tests" in json && Array.isArray(json.tests)

function rangeAt(place: TestNode["place"]): vscode.Range {
  const at = new vscode.Position((place?.line ?? 1) - 1, (place?.column ?? 1) - 1)
  return new vscode.Range(at, at)
}
