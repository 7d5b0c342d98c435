// The types of the context that scripts receive. The package has no runtime code, so importing it costs nothing.

import type { AsDocumented, PathIn, ReadAt, SubjectIn } from "./paths.js"

export type * from "./paths.js"

/** The running workflow. */
export interface WorkflowInfo {
  /** The name of the workflow's file, without `.json`. */
  readonly name: string
}

/** The block that called the script. */
export interface BlockInfo {
  /** The block's id with placeholders expanded: `ship-2` in the third iteration of a loop over `ship-{{i}}`. */
  readonly id: string
  /** `"assert"`, `"transform"`, `"condition"`, `"loop"` or `"script"`. */
  readonly type: string
  readonly description?: string
}

/** The current iteration of the innermost loop around the block. */
export interface Iteration<Item = unknown> {
  /** The index of the iteration, starting at 0. */
  readonly index: number
  /** The current element of a `forEach`. In other loops, the index. */
  readonly value: Item
}

/** A value of an API's environment. */
export type VariableValue = string | number | boolean

/** The types that are known where a script is called. `callsheet types` generates them. */
export interface ScriptPlace {
  /** The types of the names that a path can start with. `unknown` if any name is allowed. */
  readonly names: unknown
  /** The variables of the APIs that the workflow uses. */
  readonly environments: object
  /** The type of an iteration's `value`. */
  readonly item: unknown
}

/** A place where no types are known. */
export interface AnyPlace extends ScriptPlace {
  readonly environments: Readonly<Record<string, Readonly<Record<string, VariableValue>>>>
}

/**
 * The context that every script receives. `Inputs` describes the workflow's `inputs`:
 * `ScriptContext<{ sku: string; amount: number }>`.
 *
 * Integers beyond 2^53, in inputs and in values that `get` returns, are `bigint`, so no digit is lost.
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
  // A context is assignable wherever less is known about its place, but the compiler can't verify that by itself.
  // @ts-ignore
  out Place extends ScriptPlace = AnyPlace,
> {
  /** The running workflow. */
  readonly workflow: WorkflowInfo
  /** The block that called the script. */
  readonly block: BlockInfo
  /** The workflow's inputs, with their types and defaults. */
  readonly inputs: Inputs
  /** The current iteration. Only defined inside a loop. */
  readonly iteration?: Iteration<Place["item"]>
  /**
   * Reads the value at a path of the workflow format (`create.response.body.items[0].id`, `totals.sum`, `item.sku`), in the
   * block's scope. Returns a copy, so changing it has no effect elsewhere, or `undefined` if the path doesn't resolve.
   * Throws if the path is malformed.
   *
   * After you run `callsheet types`, the value has the type that the document declares, and the editor reports a path that
   * doesn't resolve. Use `get<Order>("…")` to read any path as a type of your choice.
   */
  get<Value = AsDocumented, const Path extends string = string>(
    path: PathIn<Place["names"], Path>,
  ): ReadAt<Place["names"], Path, Value>
  /** Returns `true` if a path resolves, even to `null`. Throws if the path is malformed. */
  has(path: string): boolean
  /**
   * Returns the resolved variables of the environment that `api` is bound to, without those that have no value.
   * Throws if the workflow doesn't use the API.
   */
  env<Api extends keyof Place["environments"] & string>(api: Api): Place["environments"][Api]
  /**
   * Checks a value. If a check fails, it throws, so the block fails. In an assert block, see `AssertContext`.
   *
   * @example
   * ```ts
   * ctx.expect(ctx.inputs.amount).toBeBetween(1, 100)
   * ```
   */
  expect(value: unknown): Expectation
  /** Writes a line to the block's logs, like `console.log`. Secrets are masked. */
  log(...values: readonly unknown[]): void
  /**
   * Marks a value as secret and returns it. From this call on, callsheet shows it as `***`, like the secrets of environments,
   * in the logs, events, reports and errors of this block and all later ones. It can't remove what a terminal already showed.
   *
   * Text of four or more characters is masked wherever it occurs, even encoded or escaped. Shorter text and numbers are masked
   * only if they are a whole value. Throws a `TypeError` for an empty string and for anything but a string, number or bigint.
   *
   * @example
   * ```ts
   * const { token } = (await response.json()) as { token: string }
   * return { token: ctx.secret(token) }
   * ```
   */
  secret<Value extends string | number | bigint>(value: Value): Value
  /**
   * Aborts if the block times out or the run is canceled. Pass it to `fetch`. The process ends right after the abort.
   */
  readonly signal: AbortSignal
  /** Waits for `ms` milliseconds. Rejects when `signal` aborts. */
  sleep(ms: number): Promise<void>
}

/** The JSON types that `toBeType` knows. An integer is also a number. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null"

/** The checks of `ctx.expect`. Names and arguments are those of Vitest where it has them. */
export interface Checks {
  /** Deep-equal. The order of keys doesn't matter. */
  toEqual(expected: unknown): void
  /** A string that contains a text, or an array that contains a value. */
  toContain(item: unknown): void
  /** A string that matches a pattern or contains a text. */
  toMatch(pattern: RegExp | string): void
  /** An array with this number of items, or a string with this number of UTF-16 units. */
  toHaveLength(length: number): void
  toBeAtLeast(limit: number | bigint): void
  toBeAtMost(limit: number | bigint): void
  /** A number from `low` to `high`, including both. */
  toBeBetween(low: number | bigint, high: number | bigint): void
  toBeType(type: JsonType): void
  /** Deep-equal to one of the values. */
  toBeOneOf(values: readonly unknown[]): void
  /** A date in ISO 8601 or of an HTTP header, before another: a `Date`, a text or milliseconds since 1970. */
  toBeBefore(date: Date | string | number): void
  toBeAfter(date: Date | string | number): void
  /** Valid against a schema of the OpenAPI document: `toMatchSchema("Order")`. Name the API if several have it. */
  toMatchSchema(name: string, api?: string): void
}

/** A value to check. `not` reverses a check. A value of the wrong kind, or a path that doesn't resolve, fails both. */
export interface Expectation extends Checks {
  readonly not: Checks
}

/**
 * The context that the script of an `assert` block receives. The block passes when the function returns, and fails
 * when it throws. Don't return a value, such as `false`: callsheet doesn't read it, and warns.
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
  /**
   * Checks the value at a path of the workflow format, or another value. Every check runs, even if an earlier one has
   * failed, and callsheet reports each like an assertion. The block fails if one does.
   *
   * A string literal with the form of a path is a path: `order.response.body.id`, `totals.sum`, `item.sku`. A computed
   * string is a path only if it starts with a result, an iterator or `env`. Any other string is a value.
   *
   * @example
   * ```ts
   * ctx.expect("order.response.body.lines").toHaveLength(2)
   * ctx.expect("order.response.body.total").not.toBeBetween(0, 10)
   * ctx.expect(ctx.get("order.response.body.sku")).toMatch(/^sku-\d+$/)
   * ```
   */
  expect<const Subject>(subject: SubjectIn<Place["names"], Subject>): Expectation
  /** Throws an error with `message` unless `condition` is truthy. */
  assert(condition: unknown, message?: string): void
}

/**
 * The context that the script of a `condition` block, or of an `until` loop, receives. The function returns `true` or
 * `false`, or a promise of one. Any other value fails the block.
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
 * The context that the script of a `transform` block receives. The function returns an object, or a promise of one, whose
 * keys become the block's outputs. Its values are JSON: strings, finite numbers, bigints, booleans, `null`, arrays and plain
 * objects. A member that is `undefined` is left out and a `Date` becomes its ISO string. Any other value fails the block.
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
 * The context that the function of a `script` block receives. Such a block runs for its side effects, not for a result.
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
> extends BaseContext<Inputs, Place> {
  /**
   * Ends the function. callsheet reports the block as skipped, with the reason `untranslated` and a warning.
   * `callsheet import` writes this call into a script that it can't translate.
   */
  untranslated(): never
}
