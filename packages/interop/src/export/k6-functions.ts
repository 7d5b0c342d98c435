// The functions of exported k6 scripts. They use only what k6 provides.

import { operators } from "@callsheet/format"
import type { Js } from "./js-code.ts"

/** The start of the script's function: everything that later steps read. */
export const K6_FUNCTIONS = String.raw`
// No name of a step or an input is a member of every object, such as "__proto__".
let scope = Object.create(null)

// Returns the value at a path. Undefined if it doesn't exist.
function find(path) {
  return path.reduce(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key) && !(Array.isArray(value) && key === "length")
        ? value[key]
        : undefined,
    scope,
  )
}

// Returns the value at a path. Ends the iteration if it doesn't exist.
function read(path) {
  const value = find(path)
  if (value === undefined) fail(path.join(".") + " does not exist")
  return value
}

// Integers that JavaScript can't represent are kept as their digits after a private character.
const parseJson = (content) =>
  JSON.parse(
    content.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (part) => (part[0] === '"' ? part : '"\ue000' + part + '"')),
  )
const toJson = (value) => JSON.stringify(value).replace(/"\ue000(-?\d+)"/g, "$1")
const text = (value) => (typeof value === "string" ? value.replace("\ue000", "") : toJson(value))
const inUrl = (value) =>
  encodeURIComponent(text(value)).replace(/[!'()*]/g, (char) => "%" + char.charCodeAt(0).toString(16).toUpperCase())
const inForm = (value) => inUrl(value).replace(/%20/g, "+").replace(/%2A/g, "*").replace(/~/g, "%7E")
const inJson = (value) => JSON.stringify(text(value)).slice(1, -1)
const inHeader = (value) => {
  const content = text(value)
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(content)) fail("a header can't contain a control character")
  return content
}
const inCookie = (value) => {
  const content = text(value)
  if (/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/.test(content)) fail("a cookie can't contain this character")
  return content
}

const uuid = () =>
  "xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(Math.random() * 16).toString(16))

function send(id, method, url, body, params) {
  const { status, headers, body: content, error, timings } = http.request(method, url, body, params)
  if (status === 0) fail(id + ": " + error)
  const lower = Object.create(null)
  for (const name in headers) lower[name.toLowerCase()] = headers[name]
  const response = { status, headers: lower, durationMs: timings.duration }
  if (content !== null && content !== "") response.body = parse(content, lower["content-type"] || "")
  scope[id] = { response }
}

function parse(content, type) {
  try {
    return /[/+]json\b/i.test(type) ? parseJson(content) : content
  } catch (error) {
    return content
  }
}

const sorted = (value) =>
  typeof value !== "object" || value === null
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])])
const same = (one, other) =>
  one !== undefined && Array.isArray(one) === Array.isArray(other) && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

const operators = {
${Object.entries(operators)
  .map(([name, { k6 }]) => `  ${name}: ${k6},`)
  .join("\n")}
}

// Runs the steps once per item.
function repeat(items, iterator, steps) {
  const { [iterator]: outerValue, $index: outerIndex } = scope
  items.forEach((item, index) => {
    scope.$index = index
    if (iterator !== undefined) scope[iterator] = item
    steps()
  })
  scope.$index = outerIndex
  if (iterator !== undefined) scope[iterator] = outerValue
}

// Runs the steps until the check passes.
function repeatUntil(max, delayMs, iterator, steps, passes) {
  let passed = false
  repeat(Array.from({ length: max }, (_, index) => index), iterator, () => {
    if (passed) return
    steps()
    passed = passes()
    if (!passed) sleep(delayMs / 1000)
  })
  return passed
}

function multipart(boundary, parts) {
  const bytes = []
  const add = (content) => {
    for (const char of unescape(encodeURIComponent(content))) bytes.push(char.charCodeAt(0))
  }
  for (const { head, content } of parts) {
    add("--" + boundary + "\r\n" + head + "\r\n\r\n")
    if (typeof content === "string") add(content)
    else for (const byte of new Uint8Array(content)) bytes.push(byte)
    add("\r\n")
  }
  add("--" + boundary + "--\r\n")
  return new Uint8Array(bytes).buffer
}` as Js
