// What a script receives. Types alone: importing this package costs nothing at run time.

import type { AsDocumented, PathIn, ReadAt } from "./paths.js"

export type * from "./paths.js"

/** The workflow that runs. */
export interface WorkflowInfo {
  /** Its file's name without `.json`. */
  readonly name: string
}

/** The block that called the script. */
export interface BlockInfo {
  /** With tokens expanded: `ship-2` in the third iteration of a loop over `ship-{{i}}`. */
  readonly id: string
  /** `"assert"`, `"transform"`, `"condition"`, `"loop"` or `"script"`. */
  readonly type: string
  readonly description?: string
}

/** The iteration of the innermost loop around the block. */
export interface Iteration<Item = unknown> {
  /** From 0. */
  readonly index: number
  /** The element of a `forEach`, else the index. */
  readonly value: Item
}

/** A value of an API's environment. */
export type VariableValue = string | number | boolean

/** What is known of the place where a script is called; `callsheet types` writes it. */
export interface ScriptPlace {
  /** What the first names of paths stand for; `unknown` where they may be any. */
  readonly names: unknown
  /** The variables of the APIs that the workflow touches. */
  readonly environments: object
  /** The `value` of an iteration. */
  readonly item: unknown
}

/** A place of which nothing is known. */
export interface AnyPlace extends ScriptPlace {
  readonly environments: Readonly<Record<string, Readonly<Record<string, VariableValue>>>>
}

/**
 * What every script can use. `Inputs` describes the workflow's `inputs`:
 * `ScriptContext<{ sku: string; amount: number }>`.
 *
 * Integers beyond 2^53, in inputs and in what `get` returns, are `bigint`: no digit is lost.
 *
 * @example
 * ```ts
 * import type { BaseContext } from "@callsheet/sdk"
 *
 * // A helper that scripts of every kind can share.
 * export const orderId = (ctx: BaseContext) => ctx.get<string>("create.response.body.id")
 * ```
 */
export interface BaseContext<
  Inputs extends object = Readonly<Record<string, unknown>>,
  // A context will do wherever less is known of the place. The compiler cannot see that by itself.
  // @ts-ignore
  out Place extends ScriptPlace = AnyPlace,
> {
  /** The workflow that runs. */
  readonly workflow: WorkflowInfo
  /** The block that calls the script. */
  readonly block: BlockInfo
  /** The workflow's inputs, with their types and defaults. */
  readonly inputs: Inputs
  /** Inside a loop alone. */
  readonly iteration?: Iteration<Place["item"]>
  /**
   * Reads what a path of the workflow format reads (`create.response.body.items[0].id`, `totals.sum`, `item.sku`), in
   * the scope of the block. The value is a copy: changing it changes nothing else. `undefined` where the path does not
   * resolve. Throws where the path is malformed.
   *
   * After `callsheet types` the value has the type that the document gives it, and a path that leads nowhere is an error
   * in the editor. `get<Order>("…")` reads any path as what you say it is.
   */
  get<Value = AsDocumented, const Path extends string = string>(
    path: PathIn<Place["names"], Path>,
  ): ReadAt<Place["names"], Path, Value>
  /** Whether a path resolves; true for a key that holds `null`. Throws where the path is malformed. */
  has(path: string): boolean
  /**
   * The variables of the environment that `api` is bound to, resolved; those without a value are left out.
   * Throws for an API that the workflow does not touch.
   */
  env<Api extends keyof Place["environments"] & string>(api: Api): Place["environments"][Api]
  /** Writes a line to the block's logs, as `console.log` does. Secrets are masked. */
  log(...values: readonly unknown[]): void
  /**
   * Makes a value secret and returns it: from this call on it is shown as `***`, as the secrets of environments are, in the
   * logs, events, reports and errors of this and of all later blocks. What a terminal has shown before cannot be taken back.
   *
   * Text of four or more characters is masked wherever it occurs, encoded or escaped too; shorter text and numbers where
   * a whole value equals them. Throws a `TypeError` for an empty string and for what is no string, number or bigint.
   *
   * @example
   * ```ts
   * const { token } = (await response.json()) as { token: string }
   * return { token: ctx.secret(token) }
   * ```
   */
  secret<Value extends string | number | bigint>(value: Value): Value
  /** Aborts at the block's time-out and when the run is cancelled; the process is ended at once after it. Hand it to `fetch`. */
  readonly signal: AbortSignal
  /** Waits, in milliseconds. Rejects when `signal` aborts. */
  sleep(ms: number): Promise<void>
}

/**
 * What the script of an `assert` block receives. The block passes when the function returns, whatever it returns, and
 * fails when it throws.
 *
 * @example
 * ```ts
 * import type { AssertContext } from "@callsheet/sdk"
 *
 * export const totalAddsUp = (ctx: AssertContext) => {
 *   const items = ctx.get<{ price: number }[]>("order.response.body.items") ?? []
 *   const sum = items.reduce((total, item) => total + item.price, 0)
 *   ctx.assert(sum === ctx.get("order.response.body.total"), `the items cost ${sum}`)
 * }
 * ```
 */
export interface AssertContext<
  Inputs extends object = Readonly<Record<string, unknown>>,
  // @ts-ignore
  out Place extends ScriptPlace = AnyPlace,
> extends BaseContext<Inputs, Place> {
  /** Throws an error with `message` unless `condition` is truthy. */
  assert(condition: unknown, message?: string): void
}

/**
 * What the script of a `condition` block, or of an `until` loop, receives. The function returns `true` or `false`, or a
 * promise of one; anything else fails the block.
 *
 * @example
 * ```ts
 * import type { ConditionContext } from "@callsheet/sdk"
 *
 * export const isShipped = (ctx: ConditionContext) => ctx.get("order.response.body.status") === "shipped"
 * ```
 */
export interface ConditionContext<
  Inputs extends object = Readonly<Record<string, unknown>>,
  // @ts-ignore
  out Place extends ScriptPlace = AnyPlace,
> extends BaseContext<Inputs, Place> {}

/**
 * What the script of a `transform` block receives. The function returns an object, or a promise of one; its keys become
 * the block's outputs. Its values are JSON: strings, finite numbers, big integers, booleans, `null`, arrays and plain
 * objects. A member that is `undefined` is left out, a `Date` becomes its ISO string, anything else fails the block.
 *
 * @example
 * ```ts
 * import type { TransformContext } from "@callsheet/sdk"
 *
 * export const names = (ctx: TransformContext) => ({
 *   skus: (ctx.get<{ sku: string }[]>("list.response.body") ?? []).map((item) => item.sku),
 *   readAt: new Date(),
 * })
 * ```
 */
export interface TransformContext<
  Inputs extends object = Readonly<Record<string, unknown>>,
  // @ts-ignore
  out Place extends ScriptPlace = AnyPlace,
> extends BaseContext<Inputs, Place> {}

/**
 * What the function of a `script` block receives: a block that is there for what it does, not for what it returns.
 *
 * @example
 * ```ts
 * import type { ScriptContext } from "@callsheet/sdk"
 *
 * export const settle = async (ctx: ScriptContext<{ pauseMs: number }>) => {
 *   ctx.log("waiting for", ctx.env("shop").baseUrl)
 *   await ctx.sleep(ctx.inputs.pauseMs)
 * }
 * ```
 */
export interface ScriptContext<
  Inputs extends object = Readonly<Record<string, unknown>>,
  // @ts-ignore
  out Place extends ScriptPlace = AnyPlace,
> extends BaseContext<Inputs, Place> {}
