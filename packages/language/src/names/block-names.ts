// Which block a name means: by its id, by an id with tokens, or by what such an id may come to be.

import { parseTemplateOnce, type Block, type TemplatePart, type Visit } from "@callsheet/format"
import { firstNameAsWritten, HOLE, mayMeet } from "./name-pattern.ts"
import { mayBecome, openIdOf, type OpenId } from "./open-id.ts"

/** Names that are searched for among all ids, which takes a while each. */
const MAX_SEARCHES = 1_000

export const leavesResult = ({ type }: Block): boolean => type === "request" || type === "transform"

/** The blocks of a workflow by their names. */
export class BlockNames {
  readonly #blocks = new Map<string, Visit>()
  /** Blocks whose id holds tokens, by the id without blanks in its tokens. */
  readonly #openIds = new Map<string, Visit>()
  readonly #patterns: OpenId[] = []
  readonly #searched = new Map<string, Visit | "several" | undefined>()

  add(visit: Visit): void {
    const { block } = visit
    const template = parseTemplateOnce(block.id)
    if (!template.ok || !template.hasTokens) {
      if (!this.#blocks.has(block.id)) this.#blocks.set(block.id, visit)
      return
    }
    const id = openIdOf(visit)
    if (id !== undefined) this.#patterns.push(id)
    this.#openIds.set(firstNameAsWritten(template.parts), visit)
  }

  /** The block of a name; `parts` are the path that begins with it, as written. */
  find(name: string, parts: readonly TemplatePart[]): Visit | "several" | undefined {
    const plain = this.#blocks.get(name)
    if (plain !== undefined || (this.#openIds.size === 0 && !name.includes(HOLE))) return plain
    const open = this.#openIds.get(firstNameAsWritten(parts))
    if (open !== undefined) return open
    if (!this.#searched.has(name)) this.#searched.set(name, this.#search(name))
    return this.#searched.get(name)
  }

  /** The block that a name with tokens may mean, or that may come to have a plain name. */
  #search(name: string): Visit | "several" | undefined {
    // A workflow with thousands of such names is left at a loss rather than checked for minutes.
    if (this.#searched.size >= MAX_SEARCHES) return "several"
    const meeting = this.#patterns.filter((id) => mayBecome(id, name)).map(({ visit }) => visit)
    const plain = name.includes(HOLE)
      ? [...this.#blocks.values()].filter(({ block }) => leavesResult(block) && mayMeet(name, block.id))
      : []
    const [first, ...others] = [...meeting, ...plain]
    return others.length > 0 ? "several" : first
  }
}
