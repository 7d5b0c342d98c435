// Runs the k6 script on standard input: k6's modules are replaced by functions that send with curl, synchronously.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const NODE = ["process", "require", "Buffer", "fetch", "setTimeout", "globalThis", "URL", "TextEncoder"]
const failed = []

function send(method, url, body, params) {
  const words = [
    "-s",
    "-i",
    "--globoff",
    "-X",
    method,
    url,
    ...(params.redirects === 0 ? [] : ["-L"]),
    ...(params.jar === undefined ? ["-b", "cookies", "-c", "cookies"] : []),
    ...Object.entries(params.cookies ?? {}).flatMap(([name, { value }]) => ["-b", `${name}=${value}`]),
    ...Object.entries(params.headers).flatMap(([name, value]) => [
      "-H",
      value === "" ? `${name};` : `${name}: ${value}`,
    ]),
    ...(body === null ? [] : ["--data-binary", "@-"]),
  ]
  const input = body === null || typeof body === "string" ? (body ?? "") : new Uint8Array(body)
  const last =
    execFileSync("curl", words, { input })
      .toString("latin1")
      .split(/(?=^HTTP\/1)/m)
      .at(-1) ?? ""
  const cut = last.indexOf("\r\n\r\n")
  const [status, ...lines] = last.slice(0, cut).split("\r\n")
  return {
    status: Number(status.split(" ")[1]),
    headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2))),
    body: Buffer.from(last.slice(cut + 4), "latin1").toString(),
    timings: { duration: 1 },
  }
}

/** k6 refuses names that contain its separator of groups. */
function checkNames(...names) {
  for (const name of names)
    if (name.includes("::")) throw new Error(`group and check names may not contain '::'`)
}

const modules = {
  http: { request: send, CookieJar: Object },
  check: (_, checks) => {
    checkNames(...Object.keys(checks))
    const broken = Object.entries(checks).filter(([, passes]) => !passes())
    failed.push(...broken.map(([title]) => title))
    return broken.length === 0
  },
  fail: (message) => {
    throw new Error(message)
  },
  group: (name, run) => {
    checkNames(name)
    return run()
  },
  sleep: (seconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000),
  encoding: { b64encode: (text) => Buffer.from(text).toString("base64") },
  open: (path) => new Uint8Array(readFileSync(path)).buffer,
  __ENV: process.env,
}
const body = readFileSync(0, "utf8")
  .replaceAll(/^import .*$/gm, "")
  .replaceAll(/^export (?:default )?/gm, "")
  .replace("function () {", "function main() {")
// oxlint-disable-next-line typescript/no-implied-eval -- The script under test is a text.
const run = new Function(...Object.keys(modules), ...NODE, `"use strict";\n${body}\nmain()`)
run(...Object.values(modules))
process.stdout.write(JSON.stringify(failed))
