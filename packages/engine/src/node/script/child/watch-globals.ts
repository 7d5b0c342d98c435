// Detects what a script changes in the process: globals, built-in prototypes, the environment, the working directory. A
// changed child isn't reused, because undoing the change would break packages that rely on it.

import childProcess from "node:child_process"
import fs from "node:fs"
import http from "node:http"
import https from "node:https"
import module from "node:module"
import net from "node:net"
import timers from "node:timers"
import tls from "node:tls"
import { inspect } from "node:util"
import { ordersFd } from "../protocol.ts"

/** A property that was read: its value, or its accessors. */
type Property =
  | { readonly key: PropertyKey; readonly value: unknown }
  | { readonly key: PropertyKey; readonly get: unknown; readonly set: unknown }

interface Watched {
  readonly object: object
  readonly name: string
  readonly properties: Property[]
}

/** Records the current state. The returned function describes the first difference, if any. */
export function watchGlobals(): () => string | undefined {
  const watched = collect().map(([name, object]) => watch(name, object))
  const environment = { ...process.env }
  const directory = process.cwd()
  const listeners = countListeners()
  const pipe = pipeOfOrders()
  return () => {
    if (pipeOfOrders() !== pipe) return "the pipe from the runner"
    if (process.cwd() !== directory) return "the working directory"
    if (!sameText(environment, process.env)) return "process.env"
    if (countListeners() !== listeners) return "the handlers of uncaught errors"
    return watched.find((entry) => isChanged(entry))?.name
  }
}

function collect(): [string, object][] {
  const found = new Map<object, string>()
  const add = (name: string, object: unknown): void => {
    const isObject = (typeof object === "object" && object !== null) || typeof object === "function"
    if (isObject && object !== process && !found.has(object)) found.set(object, name)
  }
  add("globalThis", globalThis)
  for (const key of Object.getOwnPropertyNames(globalThis)) {
    const value = Object.getOwnPropertyDescriptor(globalThis, key)?.value as unknown
    add(key, value)
    if (typeof value === "function") add(`${key}.prototype`, value.prototype)
  }
  const modules = { childProcess, fs, "fs.promises": fs.promises, http, https, module, net, timers, tls }
  const settings = {
    "https.globalAgent.options": https.globalAgent.options,
    "inspect.defaultOptions": inspect.defaultOptions,
    "module.prototype": module.prototype as object,
  }
  for (const [name, object] of Object.entries({ ...modules, ...settings })) add(name, object)
  for (const [name, object] of hiddenIntrinsics()) add(name, object)
  return [...found].map(([object, name]) => [name, object])
}

const prototypeOf = (object: object): object => Reflect.getPrototypeOf(object) as object

/** Lists built-in prototypes that no global leads to. */
function hiddenIntrinsics(): [string, object][] {
  const generator = prototypeOf(function* () {})
  const asyncGenerator = prototypeOf(async function* () {})
  const arrayIterator = prototypeOf([][Symbol.iterator]())
  return [
    ["the prototype of async functions", prototypeOf(async () => {})],
    ["the prototype of generators", prototypeOf(generator)],
    ["the prototype of async generators", prototypeOf(asyncGenerator)],
    ["the prototype of array iterators", arrayIterator],
    ["the prototype of iterators", prototypeOf(arrayIterator)],
    ["the prototype of typed arrays", prototypeOf(Uint8Array.prototype)],
  ]
}

const watch = (name: string, object: object): Watched => ({
  name,
  object,
  properties: Reflect.ownKeys(object).map((key) => readProperty(object, key)),
})

function readProperty(object: object, key: PropertyKey): Property {
  const descriptor = Reflect.getOwnPropertyDescriptor(object, key)
  return descriptor !== undefined && "value" in descriptor
    ? { key, value: descriptor.value as unknown }
    : { key, get: descriptor?.get, set: descriptor?.set }
}

function isChanged({ object, properties }: Watched): boolean {
  const now = Reflect.ownKeys(object)
  const added = now[properties.length]
  if (object === globalThis && isDefaultDispatcher(added)) properties.push(readProperty(object, added))
  if (now.length < properties.length) return true
  // Uses indexes for speed: this runs after every call, for thousands of properties.
  for (let index = 0; index < now.length; index++) {
    const before = properties[index]
    if (before === undefined || before.key !== now[index]) return true
    if ("value" in before) {
      if (!Object.is(Reflect.get(object, before.key), before.value)) return true
    } else {
      const current = readProperty(object, before.key)
      if ("value" in current) {
        // Node creates some globals when they are first read, and replaces the getter with the value.
        if (typeof before.get !== "function" || Reflect.apply(before.get, object, []) !== current.value)
          return true
        properties[index] = current
      } else if (current.get !== before.get || current.set !== before.set) return true
    }
  }
  return false
}

/** Returns whether a key belongs to the dispatcher that the first `fetch` adds. False for a replacement of it. */
function isDefaultDispatcher(key: PropertyKey | undefined): key is symbol {
  if (key !== Symbol.for("undici.globalDispatcher.1")) return false
  const dispatcher = Reflect.get(globalThis, key) as { readonly constructor?: { readonly name?: string } }
  return dispatcher.constructor?.name === "Agent"
}

const { fstatSync } = fs

/** Identifies the pipe of orders, because a script may close it or open another file under its descriptor. */
function pipeOfOrders(): string | undefined {
  try {
    const { dev, ino } = fstatSync(ordersFd)
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

function sameText(before: NodeJS.ProcessEnv, now: NodeJS.ProcessEnv): boolean {
  const keys = Object.keys(now)
  return keys.length === Object.keys(before).length && keys.every((key) => before[key] === now[key]) // own key
}

const countListeners = (): number =>
  process.listenerCount("uncaughtException") +
  process.listenerCount("unhandledRejection") +
  (process.hasUncaughtExceptionCaptureCallback() ? 1 : 0)
