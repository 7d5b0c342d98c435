// The table of reporters. A reporter's code is loaded when the reporter is used.

import type { ReporterName } from "@callsheet/format"
import { breakCommands } from "../text/log-commands.ts"
import type { CreateLive, FileReporter, ReporterRow } from "./reporter.ts"

/** The first line of a file that `callsheet.json` names, if its reporter has no start of its own. */
export const OWN_LINE = "Written by callsheet. The next run replaces this file.\n"

export const reporters: Readonly<Record<ReporterName, ReporterRow>> = {
  pretty: live(async () => (await import("./pretty/pretty.ts")).createPretty),
  json: {
    needsExchanges: true,
    starts: /^\{"version":1,"status":"[a-z]+","durationMs":/,
    load: async () => (await import("./json.ts")).writeJson,
  },
  junit: {
    starts: /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="callsheet" /,
    load: async () => (await import("./junit.ts")).writeJunit,
  },
  coverage: {
    needsCoverage: true,
    starts: /^\{\n  "version": 1,\n  "operations": \{\n    "exercised": [0-9]+,\n    "documented": /,
    load: async () => (await import("./coverage.ts")).writeCoverage,
  },
  github: {
    needsCoverage: true,
    standsBeside: true,
    load: async () => (await import("./github.ts")).writeGithub,
  },
  html: {
    needsExchanges: true,
    needsCoverage: true,
    starts: /^<!doctype html>\n[^]*\n<meta name="generator" content="callsheet">\n/,
    load: async () => (await import("./html/html.ts")).writeHtml,
  },
  ndjson: {
    ...live(async () => (await import("./ndjson.ts")).createNdjson),
    needsExchanges: true,
    needsCoverage: true,
    starts: /^\{"(?:type":"[a-z]+\.[a-z]+","run":[0-9]|end":\{"status":")/,
  },
  ctrf: {
    starts: /^\{"reportFormat":"CTRF","specVersion":"[0-9.]+","results":\{"tool":\{"name":"callsheet",/,
    load: async () => (await import("./ctrf.ts")).writeCtrf,
  },
  har: {
    needsExchanges: true,
    starts: /^\{"log":\{"version":"1\.2","creator":\{"name":"callsheet",/,
    load: async () => (await import("./har/har.ts")).writeHar,
  },
  allure: {
    isDirectory: true,
    needsExchanges: true,
    starts: /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}-result\.json$/m,
    load: async () => (await import("./allure/allure.ts")).writeAllure,
  },
}

function live(loadLive: () => Promise<CreateLive>): Pick<ReporterRow, "loadLive" | "load"> {
  return { loadLive, load: async () => writeAfterward(await loadLive()) }
}

/** Lets a live reporter write the file of a session that is over. */
const writeAfterward = (create: CreateLive): FileReporter =>
  function* (events, { end, ...context }) {
    const texts: string[] = []
    const write = (text: string, as?: "exact"): void =>
      void texts.push(as === "exact" ? text : breakCommands(text))
    const reporter = create({ ...context, output: { ...context.output, write } })
    for (const event of events) {
      reporter.onEvent(event, (same) => same)
      yield* texts.splice(0)
    }
    reporter.finish(end)
    yield* texts
  }
