// Every message of planning and running, by code. A script process has its own messages in
// `node/script/child/messages.ts`.

import { defineMessages, hints, quote, quoteList, type InputDeclaration } from "@callsheet/format"

/** Body types that accept only some values. */
type BodyKind = "text" | "form" | "multipart" | "file"

const bodyValues: { readonly [K in BodyKind]: string } = {
  text: "a string",
  form: "an object of names and values",
  multipart: "an object of names and parts",
  file: "the path of a file in the project",
}

/** Characters that a header or a cookie can't carry. The value itself may be a secret. */
export type Stray =
  | "line break"
  | "NUL character"
  | "control character"
  | "semicolon"
  | "comma"
  | "space"
  | "backslash"
  | "quotation mark"
  | "character outside Latin-1"
  | "character outside ASCII"
  | "character"

export type UrlProblem =
  | "character"
  | "relative"
  | "no host"
  | "bad host"
  | { readonly scheme: string }
  | { readonly proxyVariable: string }

function describeUrlProblem(problem: UrlProblem): string {
  if (typeof problem === "object")
    return "scheme" in problem
      ? `the scheme of the URL is ${quote(problem.scheme)}; expected "http" or "https"`
      : `the process variable ${problem.proxyVariable} is not the URL of an http or https proxy`
  switch (problem) {
    case "character":
      return "the URL contains a character that must be percent-encoded"
    case "relative":
      return 'the URL is not absolute; expected it to start with "http://" or "https://"'
    case "no host":
      return "the URL has no host"
    case "bad host":
      return "the URL's host or port is not valid"
  }
}

/** The phase of a request when it timed out. */
export type Phase =
  | "queued"
  | "connecting"
  | "handshake"
  | "sending"
  | "waiting"
  | "headers"
  | "decoding"
  | { readonly bodyBytes: number }

const phases: { readonly [P in Exclude<Phase, object>]: string } = {
  queued: "before it was sent",
  connecting: "while connecting",
  handshake: "during the TLS handshake",
  sending: "while sending the request",
  waiting: "while waiting for the response",
  headers: "while reading the response's headers",
  decoding: "while decoding the body",
}

const unknownIssuer = "its issuer is not known on this machine"
const otherHosts = "it was issued for other host names"

/** Explains the certificate error codes of OpenSSL and Node. */
export const certificateReasons = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its chain ends in a self-signed certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
  CERT_REVOKED: "it was revoked",
  CERT_UNTRUSTED: "its issuer is not trusted",
  CERT_REJECTED: "its issuer rejects this use",
  CERT_SIGNATURE_FAILURE: "its signature is wrong",
  CERT_CHAIN_TOO_LONG: "its chain is too long",
  INVALID_CA: "its issuer may not issue certificates",
  INVALID_PURPOSE: "it was not issued for servers",
  HOSTNAME_MISMATCH: otherHosts,
  ERR_TLS_CERT_ALTNAME_INVALID: otherHosts,
} as const

const notCrLf = "a line does not end in CR LF"

/** Explains an invalid response. The codes are from Node's parser or, if it has none, our own. */
export const protocolReasons = {
  status: "its status is not between 100 and 999",
  upgrade: "the server switched to another protocol (status 101), which the request did not ask for",
  http2: "it is HTTP/2",
  framing: "it has both a content-length and a transfer-encoding",
  malformed: "it is malformed",
  HPE_INVALID_CONSTANT: "it does not start with an HTTP status line",
  HPE_INVALID_VERSION: "its HTTP version is not 1.0 or 1.1",
  HPE_INVALID_STATUS: "its status is not a number of three digits",
  HPE_INVALID_HEADER_TOKEN: "a header line is malformed",
  HPE_INVALID_CONTENT_LENGTH: "its content-length is not a number",
  HPE_UNEXPECTED_CONTENT_LENGTH: "it has more than one content-length",
  HPE_INVALID_TRANSFER_ENCODING: "its transfer-encoding is malformed",
  HPE_INVALID_CHUNK_SIZE: "the size of a chunk is malformed",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "a chunk's extension is larger than 16 KiB",
  HPE_CR_EXPECTED: notCrLf,
  HPE_LF_EXPECTED: notCrLf,
  HPE_STRICT: notCrLf,
  HPE_INVALID_EOF_STATE: "the connection was closed in the middle of it",
  HPE_CLOSED_CONNECTION: "more data followed it",
} as const

/** The server or proxy that a connection goes to. Masked if it is a secret. */
interface Connecting {
  readonly host: string
  readonly address: string
  readonly isProxy: boolean
}

const serverName = ({ address, isProxy }: Connecting): string => `${isProxy ? "the proxy " : ""}${address}`

type Text = string | { readonly message: string; readonly hint: string }

const unknownHost = (to: Connecting): Text => ({
  message: `the host name ${quote(to.host)} is unknown`,
  hint: "check its spelling, and that this machine can look it up",
})
const unreachable = (to: Connecting): Text => `${serverName(to)} is unreachable from here`
const tooManyFiles = (): Text => ({
  message: "this process has too many open files and connections",
  hint: "lower --concurrency, or raise the limit on open files",
})

/** Explains the system's connection errors, by code. */
const systemFaults: Readonly<Record<string, (to: Connecting) => Text>> = {
  ECONNREFUSED: (to) => ({
    message: `${serverName(to)} refused the connection`,
    hint: "is the server running, and is this its port?",
  }),
  ENOTFOUND: unknownHost,
  EAI_NODATA: unknownHost,
  EAI_NONAME: unknownHost,
  EAI_AGAIN: (to) => ({
    message: `the host name ${quote(to.host)} could not be looked up just now`,
    hint: "is this machine online?",
  }),
  ECONNRESET: () => "the server reset the connection",
  EPIPE: () => "the server closed the connection while the request was being sent",
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: (to) => `${serverName(to)} does not answer`,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

function formatBytes(bytes: number): string {
  for (const [unit, size] of [
    ["MiB", 1024 * 1024],
    ["KiB", 1024],
  ] as const)
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`
  return `${bytes} bytes`
}

const runFirst = "run the whole workflow first, with the same environments and inputs"

const notSent = (reason: string): string => `the request was not sent: ${reason}`
const malformedResponse = (reason: string): string => `the response violates the HTTP protocol: ${reason}`
const undecodable = (reason: string): string => `could not decode the response: ${reason}`

export const messages = defineMessages({
  "env-missing": {
    none: (api: string) => ({
      message: `the API ${quote(api)} has no environments`,
      hint: `create one: callsheet env write ${api} local`,
    }),
  },
  "env-ambiguous": {
    notChosen: (api: string, names: readonly string[], command: string) => ({
      message: `no environment was chosen for the API ${quote(api)}, which has ${names.length}: ${quoteList(names, "and")}`,
      hint: `try: ${command}`,
    }),
  },
  "variable-type": {
    baseUrl: (api: string, environment: string) => ({
      message: `the variable "baseUrl" of the API ${quote(api)} in the environment ${quote(environment)} is not an http or https URL`,
      hint: 'for example "https://api.example.com/v1"',
    }),
  },
  "variable-missing": {
    baseUrl: (facts: {
      readonly api: string
      readonly environment: string
      readonly isDeclared: boolean
      /** Why the document's server can't be used. Undefined if the document names no server. */
      readonly server: string | undefined
    }) => ({
      message: `the API ${quote(facts.api)} has no base URL in the environment ${quote(facts.environment)}: ${
        facts.server === undefined
          ? 'neither the variable "baseUrl" nor a server in its document has a value'
          : `the variable "baseUrl" has no value, and ${facts.server}`
      }`,
      hint: facts.isDeclared
        ? `set "baseUrl" in apis/${facts.api}/environments/${facts.environment}.json`
        : `declare "baseUrl" in apis/${facts.api}/environments/schema.json and set it`,
    }),
  },
  "input-type": {
    wrong: (name: string, type: InputDeclaration["type"]) => ({
      message: `the input ${quote(name)} is not a ${type}, but it is declared as a ${type}`,
      hint: hints.scalar[type],
    }),
  },
  "input-missing": {
    missing: (name: string, type: InputDeclaration["type"], description: string | undefined) => ({
      message: `the required input ${quote(name)} has no value${description === undefined ? "" : ` (${description})`}`,
      hint: `set it with --input ${name}=<${type}>`,
    }),
  },
  "input-unknown": {
    unknown: (name: string, declared: readonly string[], suggestion: string | undefined) => ({
      message: `no workflow of this run declares the input ${quote(name)}`,
      hint:
        suggestion ??
        (declared.length === 0 ? "this run has no inputs" : `declared: ${quoteList(declared, "and")}`),
    }),
  },
  "confirm-required": {
    production: (facts: {
      readonly bindings: readonly {
        readonly api: string
        readonly environment: string
        readonly requests: string
        readonly methods: readonly string[]
      }[]
      readonly wasAsked: boolean
      readonly command: string
    }) => {
      const names = facts.bindings.map(({ api, environment }) => `${api}=${environment}`)
      const sent = facts.bindings.map(
        ({ api, requests, methods }) => `${requests} to ${api} (${methods.join(", ")})`,
      )
      return {
        message: `${names.join(", ")}: a run against production needs a confirmation, and ${
          facts.wasAsked ? "the answer was no" : "nobody confirmed this one"
        }; it would send ${sent.join(", ")}`,
        hint: `run without the question: ${facts.command} --yes`,
      }
    },
  },
  "block-unknown": {
    unknown: (id: string, suggestion: string | undefined) => ({
      message: `the workflow has no block ${quote(id)}`,
      hint: suggestion,
    }),
  },
  "results-missing": {
    noRun: () => ({
      message: "this block needs the results of an earlier run of the workflow, and there are none",
      hint: runFirst,
    }),
    loopNotRun: (id: string) => ({
      message: `the loop ${quote(id)} around the block has not run`,
      hint: runFirst,
    }),
  },
  "tls-unverified": {
    unverified: (api: string, environment: string) => ({
      severity: "warning",
      message: `TLS certificates of the API ${quote(api)} are not verified in the environment ${quote(environment)}`,
    }),
  },
  "status-unread": {
    unread: (id: string, status: number) => ({
      severity: "warning",
      message: `${quote(id)} received status ${status}, and nothing in the workflow checks it`,
    }),
  },
  "secrets-unmasked": {
    full: (maxSecrets: number, maxCharacters: number) => ({
      severity: "warning",
      message: `this run captured more secrets than callsheet can mask (at most ${maxSecrets}, of ${maxCharacters} characters in total), so later ones are shown`,
    }),
  },
  "file-unreadable": {
    notFile: () => "cannot be read: it is not a regular file",
    tooLarge: (bytes: number, limit: number) =>
      `cannot be read: it has ${bytes} bytes; the limit is ${limit}`,
    denied: () => "cannot be read: permission denied",
    system: (code: string) => `cannot be read: the system reported ${code}`,
    unconfirmed: () =>
      "was not in the list of scripts that you confirmed: import it by its path, in quotes, or use callsheet run",
  },
  "token-unresolved": {
    unresolved: (token: string, reason: string) => `{{${token}}} does not resolve: ${reason}`,
    malformed: (text: string, reason: string) => `${quote(text)} does not resolve: ${reason}`,
  },
  "loop-source": {
    unresolved: (path: string, reason: string) => `the source ${quote(path)} does not resolve: ${reason}`,
    notArray: (path: string, type: string) => `the source ${quote(path)} is ${type}; expected an array`,
  },
  "until-exhausted": {
    assertion: (
      iterations: number,
      expected: string,
      last: { readonly received?: string | undefined; readonly unresolved?: string | undefined },
    ) => {
      const seen = last.unresolved ?? (last.received === undefined ? undefined : `received ${last.received}`)
      return `the check did not pass in ${count(iterations, "iteration")}; expected ${expected}${seen === undefined ? "" : `; ${seen}`}`
    },
    script: (iterations: number) =>
      `the check did not pass in ${count(iterations, "iteration")}; the script returned false`,
  },
  "child-failed": {
    block: () => "a nested block failed",
    iterations: (failed: number, ran: number) =>
      ran === 1 ? "its iteration failed" : `${failed} of ${ran} iterations failed`,
  },
  "assertion-failed": {
    failed: (failed: number, all: number) => `${failed} of ${count(all, "assertion")} failed`,
    unresolved: (reason: string) => `the source does not resolve: ${reason}`,
  },
  "contract-broken": {
    broken: (
      operation: { readonly method: string; readonly path: string },
      first: { readonly path: string; readonly message: string } | undefined,
      more: number,
    ) =>
      `the response violates the contract of ${operation.method} ${operation.path}${
        first === undefined ? "" : `: ${first.path}: ${first.message}`
      }${more > 0 ? `, and ${more} more` : ""}`,
  },
  "too-many-redirects": {
    tooMany: (limit: number) => `more than ${limit} redirects`,
  },
  "request-timeout": {
    timedOut: (facts: {
      readonly method: string
      /** The request's URL. Undefined if the URL hasn't been built yet. */
      readonly url: string | undefined
      readonly timeoutMs: number
      readonly elapsedMs: number
      readonly phase: Phase
    }) => {
      const { phase } = facts
      const when =
        typeof phase === "object" ? `while reading the body, ${phase.bodyBytes} bytes in` : phases[phase]
      return `${facts.method}${facts.url === undefined ? "" : ` ${facts.url}`} did not finish within ${facts.timeoutMs} ms: it was stopped after ${facts.elapsedMs} ms, ${when}`
    },
  },
  cancelled: {
    request: () => "the request was cancelled",
    run: () => "the run was cancelled",
  },
  "request-failed": {
    tornSecret: (location: string, name: string) => ({
      message: `the ${location} parameter ${quote(name)} would split a secret into parts that can't be masked`,
      hint: "use a separate variable for each secret in it",
    }),
    bodyType: (kind: BodyKind, received: string) =>
      `a ${kind} body must be ${bodyValues[kind]}; received ${received}`,
    halfCharacter: (place: "body" | "form" | { readonly part: string }) =>
      `the ${typeof place === "object" ? `part ${quote(place.part)}` : place} contains half of a surrogate pair, which UTF-8 can't encode`,
    partLineBreak: (part: string) => `the content type of the part ${quote(part)} contains a line break`,
    bodyFile: (path: string, reason: string) => `the file ${quote(path)} cannot be read: ${reason}`,
    method: () => notSent("its method is not an HTTP token"),
    connect: () => notSent("the method CONNECT is only for proxies"),
    headerName: (name: string) => notSent(`the header name ${quote(name)} is not an HTTP token`),
    headerValue: (name: string, stray: Stray) =>
      notSent(`the header ${quote(name)} contains a ${stray}, which HTTP can't carry`),
    contentLength: (name: string, bytes: number) =>
      notSent(`the header ${quote(name)} is not the length of the body, ${bytes} bytes`),
    transferEncoding: (name: string) => notSent(`the header ${quote(name)} can only be "chunked"`),
    trailer: (name: string) =>
      notSent(`the header ${quote(name)} announces trailers, which callsheet does not send`),
    cookieName: (name: string) => notSent(`the cookie name ${quote(name)} is not an HTTP token`),
    cookieValue: (name: string, stray: Stray) =>
      notSent(`the cookie ${quote(name)} contains a ${stray}, which a cookie can't carry`),
    url: (problem: UrlProblem) => notSent(describeUrlProblem(problem)),
    redirectUrl: (problem: UrlProblem | "not a URL") =>
      `the redirect cannot be followed: ${problem === "not a URL" ? "its location is not a valid URL" : describeUrlProblem(problem)}`,
    secretBody: () => ({
      message:
        "the redirect leads to another origin, and the body was made from a secret: it was not sent there",
      hint: "send the request to that origin directly, or set followRedirects to false in a saved request",
    }),
    certificate: (code: keyof typeof certificateReasons) => ({
      message: `the server's certificate is not trusted: ${certificateReasons[code]} (${code})`,
      hint: "if a test environment has its own certificate, set tls.verify to false in the environment file",
    }),
    plainServer: (port: number | string, code: string) => ({
      message: `the server does not speak TLS on port ${port} (${code})`,
      hint: "use http:// in the URL, or the server's https port",
    }),
    tlsServer: () => ({
      message: "the server speaks TLS on this port, not plain HTTP",
      hint: "use https:// in the URL",
    }),
    handshake: (code: string, reason: string | undefined) =>
      `the TLS handshake failed${reason === undefined ? "" : `: ${reason}`} (${code})`,
    proxyRefusal: (status: number) => ({
      message: `the proxy did not open a connection to the server: it answered ${status}`,
      hint:
        status === 407
          ? "put the user and password into the proxy's URL: http://user:password@host:port"
          : undefined,
    }),
    connection: (code: string, to: Connecting) => {
      const text = (Object.hasOwn(systemFaults, code) ? systemFaults[code] : undefined)?.(to)
      if (text === undefined) return `the connection to ${serverName(to)} failed (${code})`
      return typeof text === "string"
        ? `${text} (${code})`
        : { ...text, message: `${text.message} (${code})` }
    },
    emptyReply: (code: string, isSecure: boolean) => ({
      message: `the server closed the connection without a response: an empty reply (${code})`,
      hint: isSecure ? undefined : "if the port speaks TLS, use https:// in the URL",
    }),
    cutHeaders: () => "the server closed the connection in the middle of the response's headers (ECONNRESET)",
    largeHeaders: (limitBytes: number, code: string) =>
      `the response's headers are larger than ${formatBytes(limitBytes)} (${code})`,
    malformed: (reason: keyof typeof protocolReasons, code: string | undefined) => ({
      message: `${malformedResponse(protocolReasons[reason])}${code === undefined ? "" : ` (${code})`}`,
      hint: reason === "http2" ? "callsheet speaks HTTP/1.1" : undefined,
    }),
    largeBody: (limitBytes: number) => ({
      message: `the response is larger than ${formatBytes(limitBytes)}`,
      hint: "raise the limit of callsheet run with --max-response-size",
    }),
    endedEarly: (facts: {
      readonly received: number
      /** The content-length as it was received. */
      readonly announced: string | undefined
      readonly isChunked: boolean
      readonly end: "closed" | "reset"
      readonly code: string
    }) => {
      const { received, announced, isChunked, end, code } = facts
      const when =
        announced === undefined
          ? `after ${received} bytes${isChunked ? ", before the last chunk," : ""}`
          : `after ${received} of ${announced} bytes`
      return `the response ended early: ${when} the server ${end} the connection (${code})`
    },
    manyCodings: (received: number, limit: number) =>
      undecodable(`it has ${received} content codings; the limit is ${limit}`),
    unknownCoding: (coding: string | undefined) =>
      undecodable(
        `the content coding ${coding === undefined ? "that the response names" : quote(coding)} is not known`,
      ),
    unsupportedCoding: (coding: string) => undecodable(`this Node.js cannot decode ${coding}`),
    shortData: (coding: string) => undecodable(`the ${coding} data ends too early`),
    corruptData: (coding: string) => undecodable(`the ${coding} data is corrupt`),
  },
  "script-timeout": {
    timedOut: (timeoutMs: number) => `the script did not finish within ${timeoutMs} ms and was stopped`,
  },
  "script-error": {
    outside: () => "the script is not inside apis/workflow/scripts",
    missing: () => "the script file does not exist",
    inputsTooLarge: () => "the inputs are too large or too deeply nested for a script",
    valueTooLarge: () => "the value is too large or too deeply nested for a script",
    unreadableValue: () => "the value cannot be read",
    unknownApi: (api: string) => `the workflow does not use an API named ${quote(api)}`,
    // The parser's message quotes part of the path, which may be half of a secret.
    path: (path: string, character: number) =>
      `${quote(path)} is not a valid path: see character ${character}`,
    importedFile: (file: string, problem: string) => `${file} ${problem}`,
    changedImport: (specifier: string) =>
      `${quote(specifier)} leads to another file than when the run began: run it again`,
    blockEnded: () => "the block has ended",
    notCalled: () => "the script is only being parsed",
    notStarted: () => "the script's process could not be started",
    heapFull: (limitMiB: number) => `the script ran out of memory: its process may use ${limitMiB} MiB`,
    memoryFull: () => "the script ran out of memory: its process was growing too large",
    exited: (exitCode: number, frames: string) =>
      `the script ended its process with exit code ${exitCode} before it finished${frames === "" ? "" : `\n${frames}`}`,
    killed: (signal: string) => `the script's process was ended by ${signal} before the script finished`,
    ended: (exitCode: number | null) =>
      `the script's process ended with exit code ${exitCode} before the script finished`,
    debugger: (address: string, reason: "in use" | "denied" | undefined) =>
      `cannot wait for a debugger on ${address}${
        { "in use": ": another program listens there", denied: ": the system does not allow it", "": "" }[
          reason ?? ""
        ]
      }`,
  },
  usage: {
    debugger: (problem: string) => ({
      message: problem,
      hint: "choose another port with --inspect-scripts=<port>, or any free port with --inspect-scripts=0",
    }),
  },
  log: {
    full: (limitBytes: number) =>
      `callsheet: the script wrote more than ${formatBytes(limitBytes)}; the rest is left out`,
  },
})
