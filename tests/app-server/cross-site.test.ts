// Attacks from another page in the same real browser. The attacker has the session's cookie, and tries two origins.

import { createServer, request, type Server } from "node:http"
import { once } from "node:events"
import type { Browser, BrowserContext } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasBrowser, launchBrowser } from "../app-page/chromium.ts"
import { secretOf, startTestApp, type TestApp } from "./start-test-app.ts"
import { tell } from "../harness/tell.ts"

/**
 * Attacks that a stranger's page runs. Each returns "nothing" or the data that it got. `target` is the address of the
 * app.
 */
const techniques: Readonly<Record<string, string>> = {
  "a form as text": `(target) => submit(target, "text/plain")`,
  "a form": `(target) => submit(target, "application/x-www-form-urlencoded")`,
  "a form of files": `(target) => submit(target, "multipart/form-data")`,
  "an image": `(target) => load("img", "src", target + "/api/project.read")`,
  "a script": `(target) => load("script", "src", target + "/assets/page.js")`,
  "a style sheet": `(target) => load("link", "href", target + "/assets/page.js", { rel: "stylesheet" })`,
  "fetch without CORS": `(target) =>
    fetch(target + "/api/project.read", { method: "POST", mode: "no-cors", credentials: "include", body: "{}" })
      .then((answer) => answer.text())
      .then((text) => text === "" ? "nothing" : text, () => "nothing")`,
  "fetch with CORS": `(target) =>
    fetch(target + "/api/project.read", {
      method: "POST", credentials: "include", body: "{}",
      headers: { "content-type": "application/json", "x-callsheet-key": "guess" },
    }).then((answer) => answer.text(), () => "nothing")`,
  "fetch of the page": `(target) =>
    fetch(target + "/", { credentials: "include" }).then((answer) => answer.text(), () => "nothing")`,
  "a beacon": `(target) => {
    navigator.sendBeacon(target + "/api/project.read", new Blob(["{}"], { type: "text/plain" }))
    return wait(200).then(() => "nothing")
  }`,
  "a frame": `(target) => {
    const frame = document.createElement("iframe")
    frame.src = target + "/"
    document.body.append(frame)
    return wait(500).then(() => {
      try { return frame.contentDocument.title === "page" ? "shown" : "nothing" } catch { return "nothing" }
    })
  }`,
  "a window": `(target) => {
    const opened = window.open(target + "/")
    return wait(500).then(() => {
      try {
        opened.postMessage({ type: "project.read" }, "*")
        return opened.document.title === "page" ? "shown" : "nothing"
      } catch { return "nothing" }
    })
  }`,
  EventSource: `(target) => new Promise((resolve) => {
    const source = new EventSource(target + "/events", { withCredentials: true })
    source.onopen = source.onmessage = () => resolve("open")
    source.onerror = () => { source.close(); resolve("nothing") }
  })`,
  WebSocket: `(target) => new Promise((resolve) => {
    const socket = new WebSocket(target.replace("http", "ws") + "/events")
    socket.onopen = () => resolve("open")
    socket.onerror = () => resolve("nothing")
  })`,
}

const tools = `
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const submit = (target, enctype) => {
    const form = document.createElement("form")
    Object.assign(form, { method: "POST", action: target + "/api/project.read", enctype, target: "_blank" })
    const field = document.createElement("input")
    Object.assign(field, { name: '{"a":"', value: '"}' })
    form.append(field)
    document.body.append(form)
    form.submit()
    return wait(300).then(() => "nothing")
  }
  const load = (name, attribute, address, more = {}) => new Promise((resolve) => {
    const element = Object.assign(document.createElement(name), more)
    element.onload = () => resolve("loaded")
    element.onerror = () => resolve("nothing")
    element[attribute] = address
    document.body.append(element)
  })`

describe.runIf(hasBrowser)("another page in the browser", () => {
  let app: TestApp
  let browser: Browser
  let stranger: Server
  let context: BrowserContext
  const statuses: number[] = []
  let asked = 0

  beforeAll(async () => {
    app = await startTestApp()
    stranger = await listen(
      createServer((_request, response) => response.setHeader("content-type", "text/html").end("<body>")),
    )
    browser = await launchBrowser()
    context = await browser.newContext()
    context.on("request", (asking) => (asked += asking.url().startsWith(app.origin) ? 1 : 0))
    context.on("response", (answer) => {
      if (answer.url().startsWith(app.origin)) statuses.push(answer.status())
    })
    const own = await context.newPage()
    await own.goto(`${app.origin}/`)
    const entered = await own.evaluate(`(async () => {
      const post = (path, body, headers) => fetch(path, {
        method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers },
      })
      const { key } = await (await post("/session", { link: ${JSON.stringify(secretOf(app.makeLink()))} })).json()
      return (await post("/api/project.read", {}, { "x-callsheet-key": key })).status
    })()`)
    // The same browser, with the same cookie: the following is rejected only because of its origin.
    expect(entered).toBe(200)
    expect(app.calls).toHaveLength(1)
    statuses.length = 0
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    stranger.closeAllConnections()
    stranger.close()
    await app.close()
  })

  it.each(["127.0.0.1", "localhost"])(
    "does nothing and learns nothing from http://%s:<port>",
    async (host) => {
      const page = await context.newPage()
      for (const [name, technique] of Object.entries(techniques)) {
        await page.goto(`http://${host}:${portOf(stranger)}/`)
        const got = await page.evaluate(
          `(() => { ${tools}\n return (${technique})(${JSON.stringify(app.origin)}) })()`,
        )
        expect([name, got]).toEqual([name, "nothing"])
      }
      await page.close()
      expect(app.calls).toHaveLength(1)
      expect(app.listeners()).toBe(0)
      // The browser sent the requests, and the server rejected them.
      expect(asked).toBeGreaterThan(10)
      expect(statuses.filter((status) => status < 400)).toEqual([])
      tell(`cross-site from ${host}: ${Object.keys(techniques).length} techniques: 0 successes`)
    },
  )

  it("learns nothing through its own name that resolves to this machine", async () => {
    const proxy = await listen(rebindingProxy(app.port))
    const rebound = await browser.newContext({ proxy: { server: `http://127.0.0.1:${portOf(proxy)}` } })
    const page = await rebound.newPage()
    const answer = await page.goto(`http://rebind.example:${app.port}/`)
    expect([answer?.status(), await answer?.text()]).toEqual([403, expect.stringContaining('"refused"')])
    const posted = await page.evaluate(`fetch("/session", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ link: ${JSON.stringify(secretOf(app.makeLink()))} }),
    }).then((answer) => answer.status, () => "nothing")`)
    // The policy of the app's own page rejects them too. A stranger's page could reach the server.
    expect([403, "nothing"]).toContain(posted)
    await rebound.close()
    proxy.closeAllConnections()
    proxy.close()
    tell("DNS rebinding: 2 tries: 0 successes")
  })
})

async function listen(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

/** Resolves every name to this machine, as an attacker's DNS server would, and leaves the request unchanged. */
function rebindingProxy(port: number): Server {
  return createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? "/", "http://rebind.example")
    const { method = "GET", headers } = incoming
    const passed = request({ host: "127.0.0.1", port, path: pathname, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on("error", () => outgoing.destroy())
    incoming.pipe(passed)
  })
}
