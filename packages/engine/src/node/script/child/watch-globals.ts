// Detects what a script changes in the process: globals, built-in prototypes, the environment, the working directory. A
// changed child isn't reused, because undoing the change would break packages that rely on it.

import { attempt } from "@callsheet/format"
import childProcess from "node:child_process"
import fs from "node:fs"
import http from "node:http"
import https from "node:https"
import module from "node:module"
import net from "node:net"
import timers from "node:timers"
import tls from "node:tls"
import { inspect, isDeepStrictEqual } from "node:util"
import { ordersFd } from "../protocol.ts"

type Property = readonly [key: PropertyKey, descriptor: PropertyDescriptor]

interface Watched {
  readonly object: object
  readonly before: readonly Property[]
}

/** Records the current state. The returned function returns whether anything differs, or can't be read anymore. */
export function watchGlobals(): () => boolean {
  const watched = [...sharedObjects()].map((object) => ({ object, before: propertiesOf(object) }))
  const before = processState()
  return () => attempt(() => watched.some(isChanged) || !isDeepStrictEqual(processState(), before)) ?? true
}

const { fstatSync } = fs

function processState(): object {
  // A script may close the pipe of orders, or open another file under its descriptor.
  const { dev, ino } = fstatSync(ordersFd)
  return {
    pipe: [dev, ino],
    directory: process.cwd(),
    environment: { ...process.env },
    listeners: [process.listenerCount("uncaughtException"), process.listenerCount("unhandledRejection")],
    isCaptured: process.hasUncaughtExceptionCaptureCallback(),
  }
}

/** Returns the globals, the modules that scripts often patch, and their prototypes. */
function sharedObjects(): ReadonlySet<object> {
  const globals = Object.values(Object.getOwnPropertyDescriptors(globalThis)).flatMap(({ value }) => {
    const own = value as { readonly prototype?: unknown } | undefined
    return typeof own === "function" ? [own, own.prototype] : [own]
  })
  const modules = [childProcess, fs, fs.promises, http, https, module, module.prototype, net, timers, tls]
  const settings = [https.globalAgent.options, inspect.defaultOptions]
  const found: unknown[] = [globalThis, ...globals, ...modules, ...settings, ...hiddenPrototypes()]
  // The process itself changes all the time.
  return new Set(found.filter(isObject).filter((object) => object !== process))
}

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

/** Returns built-in prototypes that no global leads to. */
function hiddenPrototypes(): unknown[] {
  const prototypeOf = (object: object): object => Reflect.getPrototypeOf(object) as object
  const arrayIterator = prototypeOf([][Symbol.iterator]())
  return [
    prototypeOf(async () => {}),
    prototypeOf(function* () {}.prototype as object),
    prototypeOf(async function* () {}.prototype as object),
    arrayIterator,
    prototypeOf(arrayIterator),
    prototypeOf(Uint8Array.prototype),
  ]
}

const keysOf = (object: object): PropertyKey[] =>
  Reflect.ownKeys(object).filter((key) => !isDefaultDispatcher(key))

const propertiesOf = (object: object): Property[] =>
  keysOf(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key) ?? {}])

function isChanged({ object, before }: Watched): boolean {
  const keys = keysOf(object)
  return (
    keys.length !== before.length ||
    before.some(([key, was], at) => key !== keys[at] || !isSame(object, key, was))
  )
}

function isSame(object: object, key: PropertyKey, before: PropertyDescriptor): boolean {
  // Reading most values is twice as fast as describing them, and this runs after every call.
  if (before.get === undefined) return Object.is(Reflect.get(object, key), before.value)
  const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key) ?? {}
  // Node creates some globals when they are first read, and replaces the getter with the value.
  if (get === undefined) return before.get.call(object) === value
  return before.get === get && before.set === set
}

/** Returns whether a key belongs to the dispatcher that the first `fetch` adds. False for a replacement of it. */
function isDefaultDispatcher(key: PropertyKey): boolean {
  if (key !== Symbol.for("undici.globalDispatcher.1")) return false
  const dispatcher = Reflect.get(globalThis, key) as { readonly constructor?: { readonly name?: string } }
  return dispatcher.constructor?.name === "Agent"
}
