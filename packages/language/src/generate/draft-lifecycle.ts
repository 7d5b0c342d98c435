// The workflow of a resource: create, read, list, update, delete, and no longer there.

import { formatPath, isEqual, type ValueType } from "@callsheet/format"
import {
  parametersOf,
  successBody,
  successResponses,
  typeAt,
  type Operation,
  type Resource,
  type Role,
  type RoleOperation,
} from "@callsheet/openapi"
import type { SentField } from "./draft-parts.ts"
import { changedBody } from "./changed-body.ts"
import {
  anyRefusal,
  conflictOf,
  fieldAssertions,
  promisesNotFound,
  statusAssertions,
  type Earlier,
} from "./expectations.ts"
import type { KnownApi } from "./ground.ts"
import { generateTexts } from "./texts.ts"
import { kindsAt, type WorkflowDraft } from "./workflow-draft.ts"

/** Returns whether a resource has enough operations for a workflow of its own. */
export const hasLifecycle = ({ roles, identifier }: Resource): boolean =>
  roles.create !== undefined &&
  (roles.create.identifier !== undefined || identifier?.parameter === undefined) &&
  (["read", "list", "update", "replace", "delete"] as const).some((role) => roles[role] !== undefined)

/** Adds the blocks. Returns the reason if the first request can't be made. */
export function draftLifecycle(draft: WorkflowDraft, api: KnownApi, resource: Resource): string | undefined {
  const lifecycle = new Lifecycle(draft, api, resource)
  return lifecycle.draft()
}

class Lifecycle {
  readonly #draft: WorkflowDraft
  readonly #api: KnownApi
  readonly #resource: Resource
  #fields: readonly SentField[] = []
  #earlier: Earlier | undefined

  constructor(draft: WorkflowDraft, api: KnownApi, resource: Resource) {
    this.#draft = draft
    this.#api = api
    this.#resource = resource
  }

  draft(): string | undefined {
    const { create } = this.#resource.roles
    if (create === undefined) return undefined
    const draft = this.#draft
    const { operation, place } = create
    const sent = draft.send({ api: this.#api, operation, id: "create", creates: this.#resource })
    if (!sent.ok) return sent.reason
    draft.created(this.#resource, sent.id)
    this.#fields = sent.body.fields
    if (place !== undefined)
      this.#earlier = {
        path: [sent.id, "response", "body", ...place],
        type: typeAt(successBody(operation), place),
      }
    const conflict = this.#resource.parent === undefined ? undefined : conflictOf(operation)
    const claims = fieldAssertions({ id: sent.id, operation, place, fields: this.#fields })
    if (conflict === undefined) {
      draft.assert("created", [...statusAssertions(sent.id, operation), ...claims])
      this.#rest()
      return undefined
    }
    draft.assert("answered", anyRefusal(sent.id), generateTexts.conflicts(conflict))
    const list = this.#list()
    const id = draft.newId("if-created")
    const then = draft.nested(() => {
      draft.assert("created", claims)
      this.#rest(list)
    })
    const check = {
      source: formatPath([sent.id, "response", "status"]),
      operator: "lessThan",
      value: 300,
    } as const
    if (then.length > 0)
      draft.add({ id, type: "condition", description: generateTexts.onlyIfCreated(), if: check, then })
    return undefined
  }

  /** Adds what follows the creation. `listed` is the block that has listed the items already. */
  #rest(listed?: string): void {
    const { roles } = this.#resource
    this.#read("read", "found")
    this.#contains(listed ?? this.#list())
    this.#change("replace", "replaced")
    this.#change("update", "updated")
    const { delete: remove } = roles
    if (remove === undefined || !this.#isReachable(remove)) return
    if (successResponses(remove.operation).length === 0) return
    const sent = this.#draft.send({ api: this.#api, operation: remove.operation, id: "delete" })
    if (!sent.ok) return
    this.#draft.assert("deleted", statusAssertions(sent.id, remove.operation))
    this.#gone()
  }

  /** Returns whether the path of an operation names the new item, not another one. */
  #isReachable({ operation }: RoleOperation): boolean {
    const { identifier } = this.#resource
    return (
      identifier?.parameter === undefined ||
      this.#draft.provided(this.#resource) !== undefined ||
      !operation.path.includes("{")
    )
  }

  #read(id: string, claim: string): void {
    const { read } = this.#resource.roles
    if (read === undefined || !this.#isReachable(read)) return
    const { operation, place } = read
    if (successResponses(operation).length === 0) return
    const sent = this.#draft.send({ api: this.#api, operation, id })
    if (!sent.ok) return
    const fields = fieldAssertions({
      id: sent.id,
      operation,
      place,
      fields: this.#fields,
      earlier: this.#earlier,
    })
    this.#draft.assert(claim, [...statusAssertions(sent.id, operation), ...fields])
  }

  #list(): string | undefined {
    const { list } = this.#resource.roles
    if (list === undefined || successResponses(list.operation).length === 0) return undefined
    const sent = this.#draft.send({ api: this.#api, operation: list.operation, id: "list" })
    if (!sent.ok) return undefined
    this.#draft.assert("listed", statusAssertions(sent.id, list.operation))
    return sent.id
  }

  #contains(block: string | undefined): void {
    const { list } = this.#resource.roles
    const draft = this.#draft
    const provided = draft.provided(this.#resource)
    if (block === undefined || provided === undefined) return
    if (list?.identifier === undefined || list.place === undefined || hasRequiredQuery(list.operation)) return
    const inItem = list.identifier.slice(list.place.length + 1)
    const array = formatPath([block, "response", "body", ...list.place])
    draft.files.push({
      path: `apis/workflow/scripts/${draft.name}/checks.ts`,
      text: containsScript({
        array,
        identifier: provided.source,
        inItem,
        isSameKind: isSameKind(provided.kinds, kindsAt(list)),
      }),
    })
    draft.add({
      id: draft.newId("listed-item"),
      type: "assert",
      description: generateTexts.listContains(),
      script: { name: "checks", exportName: "containsItem" },
    })
  }

  #change(role: Extract<Role, "update" | "replace">, claim: string): void {
    const change = this.#resource.roles[role]
    const draft = this.#draft
    if (change === undefined || !this.#isReachable(change)) return
    const { operation, place } = change
    if (successResponses(operation).length === 0) return
    const body = changedBody(operation, {
      before: this.#fields,
      identifier: this.#resource.identifier?.field,
    })
    const sent = draft.send({ api: this.#api, operation, id: role, body })
    if (!sent.ok) return
    // Fields that were not sent keep their values.
    const kept = role === "update" ? this.#fields.filter((field) => !isIn(sent.body.fields, field)) : []
    this.#fields = [...sent.body.fields, ...kept]
    const claims = fieldAssertions({ id: sent.id, operation, place, fields: sent.body.fields })
    draft.assert(claim, [...statusAssertions(sent.id, operation), ...claims])
    if (place !== undefined)
      this.#earlier = {
        path: [sent.id, "response", "body", ...place],
        type: typeAt(successBody(operation), place),
      }
    this.#read(`read-${claim}`, `found-${claim}`)
  }

  #gone(): void {
    const { read } = this.#resource.roles
    const isNamed = this.#resource.identifier?.parameter !== undefined
    if (read === undefined || !isNamed || !promisesNotFound(read.operation)) return
    const sent = this.#draft.send({ api: this.#api, operation: read.operation, id: "read-deleted" })
    if (!sent.ok) return
    const source = formatPath([sent.id, "response", "status"])
    this.#draft.assert("gone", [{ source, operator: "equals", value: 404 }])
  }
}

const isIn = (fields: readonly SentField[], { steps }: SentField): boolean =>
  fields.some((field) => isEqual([...field.steps], [...steps]))

const hasRequiredQuery = (operation: Operation): boolean =>
  parametersOf(operation).some(({ in: place, required }) => place === "query" && required)

/** Returns whether two values have a kind in common, or may have. */
const isSameKind = (one: ValueType["kinds"], other: ValueType["kinds"]): boolean =>
  one === undefined || other === undefined || [...one].some((kind) => kind !== "null" && other.has(kind))

interface Containing {
  readonly array: string
  readonly identifier: string
  readonly inItem: readonly string[]
  /** False if one is a number and the other a text. */
  readonly isSameKind: boolean
}

function containsScript({ array, identifier, inItem, isSameKind: isSame }: Containing): string {
  const item = inItem.reduceRight((type, name) => `{ readonly ${keyText(name)}?: ${type} }`, "unknown")
  const [id, wanted] = [
    `item${inItem.map(accessText).join("?")} ?? []`,
    `ctx.get(${JSON.stringify(identifier)})`,
  ]
  return `import type { AssertContext } from "@callsheet/sdk"

type Item = ${item}

/** Fails if the list doesn't contain the new item. */
export const containsItem = (ctx: AssertContext): void => {
  const items = ctx.get<readonly Item[]>(${JSON.stringify(array)}) ?? []
  const ids = items.flatMap((item) => ${id})${isSame ? "" : ".map(String)"}
  ctx.expect(ids).toContain(${isSame ? wanted : `String(${wanted})`})
}
`
}

const isPlain = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

const keyText = (name: string): string => (isPlain(name) ? name : JSON.stringify(name))

const accessText = (name: string, at: number): string =>
  isPlain(name) ? `.${name}` : `${at === 0 ? "" : "."}[${JSON.stringify(name)}]`
