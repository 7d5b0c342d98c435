// Finds the parts of a workflow that need the inbox, which only runs of callsheet have.

import {
  assertionsOf,
  hasResponse,
  INBOX,
  parsePathOnce,
  parseTemplateOnce,
  stringsOf,
  tokensOf,
  valueStrings,
  walkBlocks,
  type Assertion,
  type Block,
  type LiveString,
} from "@callsheet/format"
import type { ExportSource } from "./model.ts"

export class InboxReads {
  readonly #environments: ExportSource["environments"]
  /** The blocks that are left out because they need the inbox. */
  readonly #blocks: Set<string>

  constructor({ workflow, environments }: Pick<ExportSource, "workflow" | "environments">) {
    this.#environments = environments
    const blocks = [...walkBlocks(workflow.blocks)].map(({ block }) => block)
    this.#blocks = new Set(
      blocks.flatMap((block) => (hasResponse(block) && this.isInbox(block.request.api) ? [block.id] : [])),
    )
  }

  /** Returns whether runs start the server of an API to receive messages. */
  isInbox = (api: string): boolean => this.#environments.get(api)?.service?.is === INBOX

  /** Returns whether a path leads to the inbox's address, or to a block that needs it. */
  isAt(path: string): boolean {
    const parsed = parsePathOnce(path)
    if (!parsed.ok) return false
    const [first, second] = parsed.segments
    return this.#blocks.has(first) || (first === "env" && second !== undefined && this.isInbox(second))
  }

  isRead({ source, value }: Assertion): boolean {
    const texts = value === undefined ? [] : valueStrings(value, [])
    return this.isAt(source) || texts.some(({ text }) => this.#isInText(text))
  }

  /** Returns whether a whole block needs the inbox. Of assertions, only those that read it do. */
  needs(block: Block): boolean {
    if (assertionsOf(block).some(({ role }) => role === "assertion")) return false
    return stringsOf(block).some((one) => one.pointer[0] !== "description" && this.#isIn(one))
  }

  /** Notes that a block is left out. Blocks that read its result then need the inbox, too. */
  leave({ id }: Block): void {
    this.#blocks.add(id)
  }

  #isIn = ({ text, is }: LiveString): boolean => (is === "path" && this.isAt(text)) || this.#isInText(text)

  #isInText(text: string): boolean {
    const template = parseTemplateOnce(text)
    return (
      template.ok &&
      tokensOf(template.parts).some(({ inner: [path] }) => typeof path === "string" && this.isAt(path))
    )
  }
}
