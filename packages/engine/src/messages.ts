// The messages of planning and running, by code. A script process has its own in `node/script/child/messages.ts`.

import {
  type Stray,
  defineMessages,
  flagOf,
  formatBytes,
  quote,
  quoteList,
  systemReason,
  type InputDeclaration,
  type ItemFault,
  ownOf,
  plural,
  runOptionRows,
  stringifyJson,
  type AssertionView,
} from "@callsheet/format"

/** Types of bodies that accept only certain values. */
type BodyKind = "text" | "form" | "multipart" | "file"

const bodyValues: { readonly [K in BodyKind]: string } = {
  text: "a string",
  form: "an object of names and values",
  multipart: "an object of names and parts",
  file: "the path of a file in the project",
}

/** How to let git ignore secrets files: add a line to a file, or remove an exception. */
type IgnoreStep =
  | { readonly file: string; readonly add: string }
  | { readonly file: string; readonly remove: string }

const describeIgnoreStep = (step: IgnoreStep): string =>
  "add" in step
    ? `add the line ${step.add} to ${step.file}, such as with: printf '\\n${step.add}\\n' >> ${step.file}`
    : `remove the line ${step.remove} (${step.file})`

const itemFaults: { readonly [F in ItemFault]: string } = {
  "not-json": "is not JSON, so it is text",
  "not-utf8": "is not valid UTF-8, so it has replacement characters",
}

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
      : `the environment variable ${problem.proxyVariable} is not the URL of an http or https proxy`
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
  CERT_REJECTED: "its issuer does not allow this use",
  CERT_SIGNATURE_FAILURE: "its signature is invalid",
  CERT_CHAIN_TOO_LONG: "its chain is too long",
  INVALID_CA: "its issuer is not a certificate authority",
  INVALID_PURPOSE: "it was not issued for servers",
  HOSTNAME_MISMATCH: otherHosts,
  ERR_TLS_CERT_ALTNAME_INVALID: otherHosts,
} as const

const checkClock = "check this machine's clock"
const checkHost = "check the host name in the URL"
const trust = (what: string, file: string): string =>
  `to trust ${what}, start callsheet with the environment variable NODE_EXTRA_CA_CERTS=<file>, ${file} in PEM format`
const trustIssuer = trust("its issuer", "the issuer's certificate")

/** The first step to take for a certificate error code. */
const certificateChecks: { readonly [C in keyof typeof certificateReasons]?: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: trust("it", "the certificate"),
  SELF_SIGNED_CERT_IN_CHAIN: trustIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: trustIssuer,
  UNABLE_TO_GET_ISSUER_CERT: trustIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: trustIssuer,
  CERT_UNTRUSTED: trustIssuer,
  CERT_HAS_EXPIRED: checkClock,
  CERT_NOT_YET_VALID: checkClock,
  HOSTNAME_MISMATCH: checkHost,
  ERR_TLS_CERT_ALTNAME_INVALID: checkHost,
}

function certificateHint(code: keyof typeof certificateReasons): string {
  const check = certificateChecks[code]
  return `${check === undefined ? "" : `${check}; `}to skip certificate checks in a test environment, set "tls": { "verify": false } in its file`
}

/** The first step to take for a reason of OpenSSL. */
function handshakeHint(reason: string): string | undefined {
  if (/CERTIFICATE_REQUIRED/i.test(reason))
    return 'the server requires a client certificate: set it under "certificates" in the user-level file'
  if (/protocol[ _]version|unsupported[ _]protocol|version[ _]too[ _]low/i.test(reason))
    return "callsheet speaks TLS 1.2 and 1.3: update the server or, for a test, start callsheet with NODE_OPTIONS='--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0'"
  if (/renegotiation/i.test(reason))
    return "update the server: it doesn't support secure renegotiation (RFC 5746)"
  if (/handshake[ _]failure|shared[ _]cipher|too[ _]small|too[ _]weak/i.test(reason))
    return "update the server: its cipher suites or keys are too weak for this version of OpenSSL, or it requires a client certificate"
  return undefined
}

const notCrLf = "a line does not end in CR LF"

/** Explains an invalid response. The codes are from Node's parser, or ours if it has none. */
export const protocolReasons = {
  status: "its status is not between 100 and 999",
  upgrade: "the server switched to another protocol (status 101), which the request did not ask for",
  http2: "the server responded with HTTP/2, which callsheet does not support",
  framing: "it has both a content-length and a transfer-encoding",
  malformed: "it is malformed",
  HPE_INVALID_CONSTANT: "it does not start with an HTTP status line",
  HPE_INVALID_VERSION: "its HTTP version is not 1.0 or 1.1",
  HPE_INVALID_STATUS: "its status is not a three-digit number",
  HPE_INVALID_HEADER_TOKEN: "a header line is malformed",
  HPE_INVALID_CONTENT_LENGTH: "its content-length is not a number",
  HPE_UNEXPECTED_CONTENT_LENGTH: "it has more than one content-length",
  HPE_INVALID_TRANSFER_ENCODING: "its transfer-encoding is malformed",
  HPE_INVALID_CHUNK_SIZE: "the size of a chunk is malformed",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "a chunk's extension is larger than 16 KiB",
  HPE_CR_EXPECTED: notCrLf,
  HPE_LF_EXPECTED: notCrLf,
  HPE_STRICT: notCrLf,
  HPE_INVALID_EOF_STATE: "the connection was closed before the response ended",
  HPE_CLOSED_CONNECTION: "the server sent data after the end of the response",
} as const

const malformedHints: { readonly [Reason in keyof typeof protocolReasons]?: string } = {
  http2: "use a host or port that serves HTTP/1.1",
  HPE_INVALID_CONSTANT: "does another program use this port? Check the host and the port of the URL",
}

/** The server or proxy to connect to. Masked if it is secret. */
interface Connecting {
  readonly host: string
  readonly address: string
  /** The process variable that sets the proxy to connect to. Undefined for a server. */
  readonly proxyVariable: string | undefined
}

const serverName = ({ address, proxyVariable }: Connecting): string =>
  `${proxyVariable === undefined ? "" : "the proxy "}${address}`
const hostName = ({ host, proxyVariable }: Connecting): string =>
  `${quote(host)}${proxyVariable === undefined ? "" : `, the proxy in ${proxyVariable},`}`
const checkProxy = (variable: string): string =>
  `check the process variable ${variable}, or name the server's host in NO_PROXY`

type Text = string | { readonly message: string; readonly hint: string }

const unknownHost = (to: Connecting): Text => ({
  message: `the host name ${hostName(to)} is unknown`,
  hint:
    to.proxyVariable === undefined
      ? "check its spelling and this machine's DNS settings"
      : checkProxy(to.proxyVariable),
})
const unreachable = (to: Connecting): Text => `${serverName(to)} is unreachable from this machine`
const tooManyFiles = (): Text => ({
  message: "this process has too many open files and connections",
  hint: "lower --concurrency, or raise the limit on open files",
})

/** Explains the system's connection errors, by code. */
const systemFaults: Readonly<Record<string, (to: Connecting) => Text>> = {
  ECONNREFUSED: (to) => ({
    message: `${serverName(to)} refused the connection`,
    hint:
      to.proxyVariable === undefined
        ? "is the server running, and is this its port?"
        : checkProxy(to.proxyVariable),
  }),
  ENOTFOUND: unknownHost,
  EAI_NODATA: unknownHost,
  EAI_NONAME: unknownHost,
  EAI_AGAIN: (to) => ({
    message: `the DNS lookup of ${hostName(to)} failed temporarily`,
    hint: "is this machine online?",
  }),
  ECONNRESET: () => "the server reset the connection",
  EPIPE: () => "the server closed the connection while callsheet was sending the request",
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: (to) => `${serverName(to)} did not respond`,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
}

/** A program that was not found, or that callsheet refuses to start. */
interface MissingProgram {
  readonly program: string
  readonly refused:
    | { readonly file: string; readonly because: "project" | "packages" | "others" | "batch" }
    | undefined
}

/** The reason why a reference has no value. */
export type UnresolvedReason =
  | "no file"
  | "no resolver"
  | "not started"
  | "timeout"
  | "too large"
  | "not JSON"
  | "not text"
  | "no value"
  | "option"
  | MissingProgram
  | { readonly exitCode: number | null }
  | { readonly killedBy: string }

function describeUnresolved(reason: UnresolvedReason, file: string): string {
  if (typeof reason === "object" && "program" in reason)
    return `its command could not be started: ${describeMissing(reason)}`
  if (typeof reason === "object")
    return "exitCode" in reason
      ? `its command exited with code ${reason.exitCode}`
      : `its command was terminated by ${reason.killedBy}`
  return {
    "no file": `${quote(file)} does not exist`,
    "no resolver": `${quote(file)} does not define it`,
    "not started": "its command could not be started",
    timeout: "its command did not finish within 10 seconds and was stopped",
    "too large": "its output is larger than 4 MiB",
    "not JSON": 'its output is not JSON of the form {"values":{"<reference>":"<value>"}}',
    "not text": "the value is not text",
    "no value": "its output has no value for this reference",
    option: 'the reference starts with "-", so its command would read it as an option',
  }[reason]
}

function describeMissing({ program, refused }: MissingProgram): string {
  if (refused === undefined) return `the program ${quote(program)} was not found`
  const file = quote(refused.file)
  return {
    project: `${file} is in the project, whose programs callsheet doesn't run`,
    packages: `${file} is in "node_modules", whose programs callsheet doesn't run`,
    others: `other users can change ${file}, or a directory or link that leads to it`,
    batch: `${file} is a batch file, which only a shell can run, and callsheet starts no shell`,
  }[refused.because]
}

const missingHint = ({ refused }: MissingProgram, file: string): string =>
  refused?.because === "batch"
    ? `in ${file}, set the program that the batch file starts, such as "python.exe" or "node.exe", with its arguments`
    : `install the program outside the project and "node_modules", where only you can write, or set its absolute path in ${file}`

const runFirst = "run the whole workflow first, with the same environments and inputs"

export const rateLimits = {
  limited: (after: string | undefined): string => {
    const wait =
      after === undefined
        ? "it sent no Retry-After"
        : /^\d+$/.test(after)
          ? `Retry-After: ${plural(Number(after), "second")}`
          : `Retry-After: ${after}`
    return `the server limits the rate of requests (${wait}): wait before the next request, or lower --concurrency`
  },
} as const

const notSent = (reason: string): string => `the request was not sent: ${reason}`
const malformedResponse = (reason: string): string => `the response violates the HTTP protocol: ${reason}`
const askPerson =
  "ask a person to run the workflow; a run that an agent starts is decided by a secret only if the workflow is as committed and the agent sets no inputs"

/** Names the variables that decide what the token endpoint (RFC 6749 section 5.2) refuses. */
function refusedTokenHint(facts: {
  readonly variables: string
  readonly status: number
  readonly error: string | undefined
}): string | undefined {
  const { variables, status, error = "" } = facts
  const own = (...names: readonly string[]) =>
    quoteList(
      names.map((name) => `${variables}_${name}`),
      "and",
    )
  if (status === 404 || status === 405)
    return `is this the URL of the token endpoint? Set it in the variable ${own("tokenUrl")}`
  if (error.startsWith("invalid_client") || status === 401)
    return `check the variables ${own("clientId", "clientSecret")}; ${own("authMethod")} decides how they are sent`
  if (error.startsWith("invalid_grant"))
    return `check the variables ${own("username", "password")}, or ${own("refreshToken")}`
  if (error.startsWith("unsupported_grant_type") || error.startsWith("unauthorized_client"))
    return `set a grant that the client may use in the variable ${own("grant")}`
  return error.startsWith("invalid_scope") ? "check the scopes of the operation in the document" : undefined
}

const undecodable = (reason: string): string => `could not decode the response: ${reason}`

export const messages = defineMessages(() => ({
  "port-unusable": {
    unusable: (address: string, port: number, reason: string) => ({
      message: `callsheet can't listen on port ${port} of ${address}: ${reason}`,
      hint: "without --port, callsheet uses a free port",
    }),
  },
  "env-missing": {
    none: (api: string) => ({
      message: `the API ${quote(api)} has no environments`,
      hint: `create one: callsheet env write ${api} local`,
    }),
  },
  "service-unavailable": {
    unsupported: (service: "inbox" | "mock") => ({
      message: `this run can't start ${service === "inbox" ? "the inbox" : "a mock"}`,
      hint: "use callsheet run, the app or run()",
    }),
    noDocument: (api: string) => ({
      message: `the API ${quote(api)} has no OpenAPI document to mock`,
      hint: 'add its document, or set "from" to a record',
    }),
    refused: (service: "inbox" | "mock", reason: string) => ({
      message: reason,
      hint:
        service === "inbox"
          ? "choose another --inbox-port; without it, the inbox uses a free port"
          : undefined,
    }),
  },
  "env-ambiguous": {
    notChosen: (api: string, names: readonly string[], command: string) => ({
      message: `no environment was chosen for the API ${quote(api)}, which has ${names.length}: ${quoteList(names, "and")}`,
      hint: `try: ${command}`,
    }),
  },
  "variable-type": {
    baseUrl: (facts: {
      readonly api: string
      readonly environment: string
      /** Continues a sentence about the value: `has a fragment (#), which is never sent`. */
      readonly fault: string
      /** The option or process variable with the value. Undefined if it is in a file. */
      readonly setBy: string | undefined
    }) => ({
      message: `the variable "baseUrl" of the API ${quote(facts.api)} in the environment ${quote(facts.environment)}${facts.setBy === undefined ? "" : `, set by ${facts.setBy},`} ${facts.fault}`,
      hint: 'for example, "https://api.example.com/v1"',
    }),
  },
  "variable-missing": {
    baseUrl: (facts: {
      readonly api: string
      readonly environment: string
      readonly isDeclared: boolean
      /** The reason why the document's server can't be used. Undefined if the document has no server. */
      readonly server: string | undefined
    }) => ({
      message: `the API ${quote(facts.api)} has no base URL in the environment ${quote(facts.environment)}: ${
        facts.server === undefined
          ? `the variable "baseUrl" has no value, and its OpenAPI document doesn't define a server`
          : `the variable "baseUrl" has no value, and ${facts.server}`
      }`,
      hint: facts.isDeclared
        ? `set "baseUrl" in apis/${facts.api}/environments/${facts.environment}.json`
        : `declare "baseUrl" in apis/${facts.api}/environments/schema.json and set it`,
    }),
  },
  "secret-unresolved": {
    unresolved: (facts: {
      readonly api: string
      readonly environment: string
      readonly variable: string
      readonly resolver: string
      readonly reason: UnresolvedReason
      /** The user-level file. */
      readonly file: string
    }) => {
      const { api, environment, variable, resolver, reason, file } = facts
      const isUndefined = reason === "no file" || reason === "no resolver"
      const isMissing = typeof reason === "object" && "program" in reason
      const hasExited = typeof reason === "object" && "exitCode" in reason
      return {
        message: `the resolver ${quote(resolver)} did not return the secret ${quote(variable)} of the API ${quote(api)} in the environment ${quote(environment)}: ${describeUnresolved(reason, file)}`,
        hint: isUndefined
          ? `define it under "resolvers" in ${file}`
          : isMissing
            ? missingHint(reason, file)
            : hasExited
              ? "run its command in a terminal to see why; you may have to log in first"
              : undefined,
      }
    },
  },
  "user-file-unsafe": {
    inProject: () => ({
      message: "the user-level file is inside the project, so a project could bring its own",
      hint: "move it out of the project",
    }),
    foreign: () => "the user-level file belongs to another user",
    open: (mode: string) => ({
      message: `other users can access the user-level file: its mode is ${mode}; expected 600`,
      hint: "run chmod 600 on it",
    }),
  },
  "input-missing": {
    missing: (name: string, type: InputDeclaration["type"], description: string | undefined) => ({
      message: `the required input ${quote(name)} has no value${description === undefined ? "" : ` (${description})`}`,
      hint: `set it with --input ${name}=<${type}>`,
    }),
    unresolved: (name: string, reason: string) => `the input ${quote(name)} has no value: ${reason}`,
  },
  "input-unknown": {
    ofWorkflow: (
      name: string,
      workflow: string,
      declared: readonly string[],
      suggestion: string | undefined,
    ) => ({
      message: `the workflow ${quote(workflow)} has no input ${quote(name)}`,
      hint:
        suggestion ??
        (declared.length === 0 ? "it has no inputs" : `declared: ${quoteList(declared, "and")}`),
    }),
    unknown: (name: string, declared: readonly string[], suggestion: string | undefined) => ({
      message: `no workflow of this run declares the input ${quote(name)}`,
      hint:
        suggestion ??
        (declared.length === 0 ? "this run has no inputs" : `declared: ${quoteList(declared, "and")}`),
    }),
  },
  "traceparent-invalid": {
    ignored: () => ({
      message: "TRACEPARENT is not a traceparent of W3C Trace Context, so the run starts traces of its own",
      hint: "expected 00-<32 hex digits>-<16 hex digits>-<2 hex digits>, in lowercase",
    }),
  },
  "retry-unsafe": {
    methods: (entry: string, methods: readonly string[], isSuite: boolean) => ({
      message: `${quote(entry)} was not retried: it sends ${methods.includes("?") ? "requests" : `${methods.join(" and ")} requests`} that aren't safe to repeat`,
      hint: isSuite
        ? 'on its entry in the suite, set "finally" to clean up after each attempt, or set "retries"'
        : 'run it in a suite of callsheet.json, with "finally" to clean up after each attempt',
      severity: "warning",
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
        message: facts.wasAsked
          ? `the run against production (${names.join(", ")}) was not confirmed; it would have sent ${sent.join(" and ")}`
          : `a run against production (${names.join(", ")}) requires confirmation; this one would send ${sent.join(" and ")}`,
        hint: `to run without confirmation: ${facts.command} --yes`,
      }
    },
  },
  "login-required": {
    notAsked: (scheme: string) => ({
      message: `a login is required for ${scheme}`,
      hint: "pass --login to log in with a browser",
    }),
    denied: (scheme: string, error: string) =>
      `the login for ${scheme} was denied${/^[a-z_]{1,40}$/.test(error) ? `: ${error}` : ""}`,
    late: (scheme: string) => `the login for ${scheme} did not finish in time`,
    secret: (scheme: string) => ({
      message: `the URL of the login page for ${scheme} would show a secret`,
      hint: "don't declare the client ID, or the base URL, secret",
    }),
    page: (scheme: string) => `the login page for ${scheme} is not an http or https URL`,
    failed: (message: string, hint: string | undefined) => ({ message, hint }),
    noClient: (scheme: string) => ({
      message: `the variables of ${scheme} don't name a client to log in with`,
      hint: "set its client ID first",
    }),
  },
  "block-unknown": {
    unknown: (id: string, suggestion: string | undefined) => ({
      message: `the workflow has no block ${quote(id)}`,
      hint: suggestion,
    }),
  },
  "results-missing": {
    noRun: () => ({
      message: "this block needs results from an earlier run of the workflow, but none are available",
      hint: runFirst,
    }),
    loopNotRun: (id: string) => ({
      message: `the loop ${quote(id)}, which contains this block, has not run`,
      hint: runFirst,
    }),
  },
  "secrets-tracked": {
    tracked: (command: string, ignore: IgnoreStep | undefined) => ({
      severity: "warning",
      message: "git tracks this file, so everyone who can read the repository sees its secrets",
      hint: `run: ${command}${ignore === undefined ? "" : `; ${describeIgnoreStep(ignore)}`}; replace the secrets if others can see them`,
    }),
  },
  "secrets-unignored": {
    unignored: (ignore: IgnoreStep) => ({
      severity: "warning",
      message: 'git doesn\'t ignore this file, so "git add" would publish its secrets',
      hint: describeIgnoreStep(ignore),
    }),
  },
  "tls-unverified": {
    unverified: (api: string, environment: string) => ({
      severity: "warning",
      message: `callsheet does not verify TLS certificates of the API ${quote(api)} in the environment ${quote(environment)}`,
    }),
  },
  "script-result-ignored": {
    ignored: (kind: "assert" | "script", exportName: string, returned: string) => ({
      severity: "warning",
      message: `the function ${quote(exportName)} returned ${returned}, which callsheet doesn't read`,
      hint: {
        assert:
          "to fail the block, use ctx.expect(…), ctx.assert(condition, message) or throw; otherwise, return nothing",
        script: "to fail the block, throw an error; to return a value, use a transform block",
      }[kind],
    }),
  },
  "import-todo": {
    skipped: (exportName: string) => ({
      severity: "warning",
      message: `the imported script ${quote(exportName)} is not translated yet, so its block was skipped`,
      hint: "translate the code in its comment, then remove ctx.untranslated()",
    }),
  },
  "status-unread": {
    unread: (id: string, status: number, limited: string | undefined) => ({
      severity: "warning",
      message: `${quote(id)} received status ${status}, but nothing in the workflow checks it`,
      hint: limited,
    }),
  },
  "credential-invalid": {
    /** `variable` is `the variable "token" of the API "shop" (CALLSHEET_VAR__SHOP__TOKEN)`. */
    blank: (variable: string, stray: "line break" | "space") => ({
      severity: "warning",
      message: `${variable} starts or ends with a ${stray}, which is sent as a part of the credential`,
      hint: `remove the ${stray} from its value`,
    }),
    twice: (scheme: string, variable: string | undefined) => ({
      severity: "warning",
      message: `the header "authorization" starts with ${quote(`${scheme} ${scheme}`)}${variable === undefined ? "" : `, because ${variable} already contains the scheme`}`,
      hint: `set the credential without ${quote(`${scheme} `)}`,
    }),
    noColon: (variable: string) => ({
      severity: "warning",
      message: `${variable} has no ":", so it can't be a user and a password`,
      hint: "the value for basic authentication is user:password; callsheet encodes it",
    }),
    lineBreak: (variable: string) =>
      `${variable} contains a line break: remove it, for example at the end of the value`,
  },
  "stream-item-invalid": {
    /** `first` is the index of the first item with the fault, and `count` is the number of such items. */
    fault: (fault: ItemFault, first: number, count: number) => ({
      severity: "warning",
      message: `body.${first} of the stream ${itemFaults[fault]}${count === 1 ? "" : ` (${plural(count, "item")} in all)`}`,
    }),
    cut: () => ({
      severity: "warning",
      message: "the stream ended within an event, so callsheet ignored that event, as browsers do",
      hint: "let the server write a blank line after each event",
    }),
  },
  "header-invalid": {
    repeated: (name: string, count: number, used: string | undefined) => ({
      severity: "warning",
      message: `the response has ${count} values of the header ${quote(name)}; callsheet uses the last valid one${used === undefined ? "" : `, ${quote(used)}`}`,
      hint: "correct the server, because other clients may use another one",
    }),
    coding: (coding: string | undefined) => ({
      severity: "warning",
      message: `the header "content-encoding" of the response names no content coding${coding === undefined ? "" : `: ${quote(coding)}`}; callsheet read the body as it is`,
      hint: 'correct the server; a character set belongs into the header "content-type"',
    }),
  },
  "redirect-body": {
    dropped: (facts: { readonly status: number; readonly from: string; readonly to: string }) => ({
      severity: "warning",
      message: `a redirect with status ${facts.status} turned the ${facts.from} request into ${facts.to}, so its body was not sent`,
      hint: "call the final URL, or let the server redirect with status 307 or 308, which keep the method and the body",
    }),
  },
  "secrets-unmasked": {
    full: (maxSecrets: number, maxCharacters: number) => ({
      severity: "warning",
      message: `this run captured more secrets than callsheet can mask, so reports may show the later ones (the limit is ${maxSecrets} secrets with ${maxCharacters} characters in total)`,
    }),
  },
  "file-unreadable": {
    notFile: () => "can't read the file: it is not a regular file",
    tooLarge: (bytes: number, limit: number) =>
      `can't read the file: it has ${bytes} bytes; the limit is ${formatBytes(limit)}`,
    denied: () => "can't read the file: permission denied",
    system: (code: string) => `can't read the file: ${systemReason(code)}`,
    unconfirmed: () => "you did not confirm this script; import it by a path in quotes, or use callsheet run",
  },
  "token-unresolved": {
    unresolved: (token: string, reason: string) => `{{${token}}} does not resolve: ${reason}`,
    malformed: (text: string, reason: string) => `${quote(text)} does not resolve: ${reason}`,
  },
  "loop-source": {
    unresolved: (path: string, reason: string) => `the source ${quote(path)} does not resolve: ${reason}`,
    notArray: (path: string, received: string) => `the source ${quote(path)} ${received}; expected an array`,
  },
  "until-exhausted": {
    assertion: (
      iterations: number,
      expected: string,
      last: { readonly received?: string | undefined; readonly unresolved?: string | undefined },
    ) => {
      const seen = last.unresolved ?? (last.received === undefined ? undefined : `received ${last.received}`)
      return `the check (${expected}) did not pass in ${plural(iterations, "iteration")}${seen === undefined ? "" : `; ${seen}`}`
    },
    script: (iterations: number) =>
      `the check did not pass in ${plural(iterations, "iteration")}; the script returned false`,
    arrived: (paths: readonly (readonly [path: string, count: number])[], more: number) => {
      if (paths.length === 0) return "nothing has arrived in the inbox"
      const listed = paths.map(([path, count]) => (count === 1 ? path : `${path} (${count} times)`))
      return `arrived in the inbox: ${listed.join(", ")}${more > 0 ? ` and ${plural(more, "more path")}` : ""}`
    },
  },
  "value-too-large": {
    repeats: (limit: number) => ({
      message: `the value repeats parts of other values with more than ${limit / 1024 / 1024} MiB`,
      hint: "read each value once, or a smaller part of it",
    }),
  },
  "unexpected-error": {
    bug: (name: string) => ({
      message: `this is a bug in callsheet (${name})`,
      hint: "please report it, and include the output of the same command with --debug",
    }),
  },
  "child-failed": {
    block: () => "a nested block failed",
    iterations: (failed: number, ran: number) =>
      ran === 1 ? "the loop's only iteration failed" : `${failed} of ${ran} iterations failed`,
  },
  "assertion-failed": {
    failed: (failed: number, all: number) => `${failed} of ${plural(all, "assertion")} failed`,
    unresolved: (reason: string) => `the source does not resolve: ${reason}`,
    brokenBody: (reason: string) => `the response body ${reason}`,
    limited: (reason: string) => reason,
  },
  "snapshot-missing": {
    missing: (id: string, file: string) => ({
      severity: "warning",
      message: `the response of ${quote(id)} has no snapshot (${file})`,
      hint: "callsheet run --snapshots new stores the missing ones",
    }),
  },
  "snapshot-differs": {
    differs: (file: string, places: readonly string[], more: number) => ({
      message: `the response differs from ${file}: ${places.join(", ")}${more > 0 ? `, and ${plural(more, "more place")}` : ""}`,
      hint: "to accept it, run with --snapshots update, which no longer compares values that changed; to compare them, delete the file first",
    }),
    added: () => "the snapshot does not have this value",
    vanished: () => "the response does not have this value",
    type: (expected: string, received: string) =>
      `the type has changed: expected ${expected}, received ${received}`,
  },
  "contract-broken": {
    broken: (
      operation: { readonly method: string; readonly path: string },
      first: { readonly path: string; readonly message: string } | undefined,
      more: number,
    ) =>
      `the response violates the contract of ${operation.method} ${operation.path}${
        first === undefined ? "" : `: ${first.path}: ${first.message}`
      }${more > 0 ? `, and ${plural(more, "more violation")}` : ""}`,
    /** The finding of `broken`, in a project with a baseline. */
    notKnown: (broken: string) => `${broken} (not in the baseline)`,
  },
  "baseline-expired": {
    failed: (
      operation: { readonly method: string; readonly path: string },
      first: { readonly path: string; readonly message: string },
      expires: string,
    ) => ({
      message: `a known violation of ${operation.method} ${operation.path} expired on ${expires}: ${first.path}: ${first.message}`,
      hint: 'fix the API, or set "expires" in callsheet.baseline.json to a later day',
    }),
  },
  "too-many-redirects": {
    tooMany: (limit: number, chain: readonly string[]) =>
      `the request was redirected more than ${limit} times; redirects: ${chain.join(", ")}`,
    /** The first and the last place are the same. */
    circle: (limit: number, places: readonly string[]) => {
      const [first = "", ...others] = places
      const path =
        others.length === 1
          ? `${first} redirects to itself`
          : `${first} redirects to ${others.join(", then ")}`
      return {
        message: `the request was redirected more than ${limit} times: ${path}`,
        hint: "the server may expect a cookie or a header that it doesn't receive",
      }
    },
  },
  "request-timeout": {
    timedOut: (facts: {
      readonly method: string
      /** Undefined if the URL hasn't been built yet. */
      readonly url: string | undefined
      readonly timeoutMs: number
      readonly elapsedMs: number
      readonly phase: Phase
    }) => {
      const { phase } = facts
      const when =
        typeof phase === "object"
          ? `while reading the body (${phase.bodyBytes} bytes received)`
          : phases[phase]
      return `${facts.method}${facts.url === undefined ? "" : ` ${facts.url}`} timed out after ${facts.elapsedMs} ms ${when}; the limit is ${facts.timeoutMs} ms`
    },
  },
  cancelled: {
    request: () => "the request was canceled",
    run: () => "the run was canceled",
  },
  "request-failed": {
    tornSecret: (location: string, name: string) => ({
      message: `the ${location} parameter ${quote(name)} would split a secret into parts that can't be masked`,
      hint: "use a separate variable for each secret in it",
    }),
    bodyType: (kind: BodyKind, received: string) =>
      `a ${kind} body must be ${bodyValues[kind]}; received ${received}`,
    halfCharacter: (place: "body" | "form" | { readonly part: string }) =>
      `the ${typeof place === "object" ? `part ${quote(place.part)}` : place} contains an unpaired surrogate, which UTF-8 can't encode`,
    partLineBreak: (part: string) => `the content type of the part ${quote(part)} contains a line break`,
    /** The reason of a file port names the file. */
    bodyFile: (path: string, reason: string) =>
      notSent(reason.includes(quote(path)) ? reason : `${quote(path)}: ${reason}`),
    method: () => notSent("its method is not a valid HTTP token"),
    connect: () => notSent("the method CONNECT is only for proxies"),
    header: (reason: string) => notSent(reason),
    contentLength: (name: string, bytes: number) =>
      notSent(`the header ${quote(name)} does not match the length of the body, ${bytes} bytes`),
    transferEncoding: (name: string) => notSent(`the header ${quote(name)} must be "chunked"`),
    trailer: (name: string) =>
      notSent(`the header ${quote(name)} announces trailers, which callsheet does not send`),
    cookieName: (name: string) => notSent(`the cookie name ${quote(name)} is not a valid HTTP token`),
    cookieValue: (name: string, stray: Stray) =>
      notSent(`the cookie ${quote(name)} contains a ${stray}, which cookies can't contain`),
    url: (problem: UrlProblem) => notSent(describeUrlProblem(problem)),
    redirectUrl: (problem: UrlProblem | "not a URL") =>
      `callsheet can't follow the redirect: ${problem === "not a URL" ? "its location is not a valid URL" : describeUrlProblem(problem)}`,
    secretBody: () => ({
      message:
        "callsheet did not follow the redirect: it leads to another origin, and the request body contains a value derived from a secret",
      hint: "send the request to that origin directly, or set followRedirects to false in the saved request",
    }),
    certificate: (code: keyof typeof certificateReasons) => ({
      message: `the server's certificate is not trusted: ${certificateReasons[code]} (${code})`,
      hint: certificateHint(code),
    }),
    plainServer: (port: number | string, code: string) => ({
      message: `the server does not speak TLS on port ${port} (${code})`,
      hint: "use http:// in the URL, or the server's https port",
    }),
    tlsServer: () => ({
      message: "the server speaks TLS on this port, not plain HTTP",
      hint: "use https:// in the URL",
    }),
    certificateFile: (origin: string, field: string) =>
      notSent(`the user-level file's ${quote(field)} for ${origin} can't be read`),
    certificateFormat: (origin: string, field: string, format: "binary" | "text" | "other" | "pem") => {
      const file = `the user-level file's ${quote(field)} for ${origin}`
      switch (format) {
        case "binary":
          return {
            message: notSent(`${file} is a binary (DER) file; expected PEM format`),
            hint: `convert it: openssl ${field === "key" ? "pkey" : "x509"} -inform der -in <file> -out <file>.pem`,
          }
        case "text":
          return notSent(`${file} is not in PEM format: it has no line "-----BEGIN …-----"`)
        case "other":
          return notSent(`${file} contains no certificate`)
        case "pem":
          return {
            message: notSent(`${file} is in PEM format; expected PKCS #12 (.p12 or .pfx)`),
            hint: 'for PEM files, set "cert" and "key" instead',
          }
      }
    },
    clientCertificate: (origin: string, code: string) =>
      notSent(`the certificate for ${origin} in the user-level file can't be used (${code})`),
    handshake: (code: string, reason: string | undefined) => ({
      message: `the TLS handshake failed${reason === undefined ? "" : `: ${reason}`} (${code})`,
      hint: handshakeHint(`${code} ${reason ?? ""}`),
    }),
    proxyRefusal: (address: string, status: number) =>
      `the proxy ${address} did not open a connection to the server: it responded with status ${status}`,
    proxyAuthentication: (facts: {
      readonly address: string
      /** The process variable with the proxy's URL. */
      readonly variable: string
      readonly hasCredentials: boolean
      /** The authentication schemes that the proxy offers. */
      readonly schemes: readonly string[]
    }) => {
      const { address, variable, hasCredentials, schemes } = facts
      const isBasic = schemes.length === 0 || schemes.some((scheme) => /^basic$/i.test(scheme))
      const offered = isBasic
        ? ""
        : `; it offers ${quoteList(schemes, "and")}, but callsheet supports only Basic`
      return {
        message: hasCredentials
          ? `the proxy ${address} did not accept the user name and password in ${variable} (status 407)${offered}`
          : `the proxy ${address} requires a user name and password (status 407)${offered}`,
        hint: hasCredentials
          ? `check them in ${variable}; special characters must be percent-encoded, such as %40 for @`
          : `add them to ${variable}: http://user:password@${address}; or add the server to NO_PROXY`,
      }
    },
    connection: (code: string, to: Connecting) => {
      const text = ownOf(systemFaults, code)?.(to)
      if (text === undefined) return `the connection to ${serverName(to)} failed (${code})`
      return typeof text === "string"
        ? `${text} (${code})`
        : { ...text, message: `${text.message} (${code})` }
    },
    emptyReply: (code: string, isSecure: boolean) => ({
      message: `the server closed the connection without sending a response (${code})`,
      hint: isSecure ? undefined : "if the port speaks TLS, use https:// in the URL",
    }),
    cutHeaders: () => "the server closed the connection in the middle of the response's headers (ECONNRESET)",
    largeHeaders: (limitBytes: number, code: string) =>
      `the response's headers are larger than ${formatBytes(limitBytes)} (${code})`,
    malformed: (reason: keyof typeof protocolReasons, code: string | undefined) => ({
      message: `${reason === "http2" ? protocolReasons.http2 : malformedResponse(protocolReasons[reason])}${code === undefined ? "" : ` (${code})`}`,
      hint: malformedHints[reason],
    }),
    largeBody: (limitBytes: number) => ({
      message: `the response is larger than ${formatBytes(limitBytes)}`,
      hint: `raise the limit with callsheet run ${flagOf(runOptionRows.maxResponseBytes)}`,
    }),
    endedEarly: (facts: {
      readonly received: number
      /** The `content-length` as received. */
      readonly announced: string | undefined
      readonly isChunked: boolean
      readonly end: "closed" | "reset"
      readonly code: string
    }) => {
      const { received, announced, isChunked, end, code } = facts
      const when =
        announced === undefined
          ? `after ${received} bytes${isChunked ? ", before the last chunk" : ""}`
          : `after ${received} of ${announced} bytes`
      return `the response ended early: the server ${end} the connection ${when} (${code})`
    },
    notText: (
      type: string,
      {
        encoding,
        offset,
        byte,
      }: { readonly encoding: string; readonly offset: number; readonly byte: number },
    ) => ({
      message: `the response is ${type}, but not valid ${encoding.toUpperCase()}: the byte 0x${byte.toString(16).padStart(2, "0")} at offset ${offset} can't be decoded`,
      hint: `correct the server; if it uses another encoding, its content type must say so, such as "${type}; charset=windows-1252"`,
    }),
    manyCodings: (received: number, limit: number) =>
      undecodable(`it has ${received} content codings; the limit is ${limit}`),
    unknownCoding: (coding: string | undefined) => ({
      message: undecodable(
        coding === undefined
          ? "its content coding is unknown"
          : `the content coding ${quote(coding)} is unknown`,
      ),
      hint: 'callsheet decodes gzip, deflate, br and zstd; correct the header "content-encoding" of the server, or send the header "accept-encoding: identity"',
    }),
    started: (message: string, start: string) => `${message}; it starts with ${start}`,
    unsupportedCoding: (coding: string) => ({
      message: undecodable(`this version of Node.js can't decode ${coding}`),
      hint: 'update Node.js, or send the header "accept-encoding: gzip"',
    }),
    shortData: (coding: string) => undecodable(`the ${coding} data ends too early`),
    corruptData: (coding: string) => ({
      message: undecodable(`the ${coding} data is corrupt`),
      hint: `is the body ${coding} data? If not, the server must not send "content-encoding: ${coding}"`,
    }),
  },
  "auth-failed": {
    variable: (scheme: string, variable: string, expected: string) =>
      `the variable ${quote(variable)} can't be used to get a token for ${scheme}; expected ${expected}`,
    privateKey: (scheme: string, variable: string) => ({
      message: `the variable ${quote(variable)} can't be used to get a token for ${scheme}; expected an RSA, EC or Ed25519 key in PEM format`,
      hint: 'the value is the key itself, from "-----BEGIN" to the end, not the path of its file',
    }),
    login: (scheme: string) => ({
      message: `the login for ${scheme} has expired or was not completed before the run`,
      hint: "run again with --login",
    }),
    unreachable: (scheme: string, reason: string, hint: string | undefined) => ({
      message: `could not get a token for ${scheme}: ${reason}`,
      hint,
    }),
    refused: (facts: {
      readonly scheme: string
      /** The start of the names of its variables. */
      readonly variables: string
      readonly status: number
      readonly error: string | undefined
    }) => ({
      message: `could not get a token for ${facts.scheme}: the token endpoint responded with status ${facts.status}${facts.error === undefined ? "" : `: ${facts.error}`}`,
      hint: refusedTokenHint(facts),
    }),
    redirected: (scheme: string, status: number, variable: string) => ({
      message: `could not get a token for ${scheme}: the token endpoint responded with a redirect (status ${status}), which callsheet does not follow`,
      hint: `set the final URL in the variable ${quote(variable)}`,
    }),
    response: (scheme: string, problem: string) =>
      `could not get a token for ${scheme}: the token endpoint's response ${problem}`,
    discovery: (scheme: string, problem: string, variable: string) => ({
      message: `could not get a token for ${scheme}: the OpenID discovery document ${problem}`,
      hint: `check "openIdConnectUrl", or set the token endpoint in the variable ${quote(variable)}`,
    }),
  },
  "replay-undecidable": {
    assertion: () => "the verdict depends on a value that is masked in the record",
    assertions: (undecided: number) =>
      `${plural(undecided, "assertion")} can't be decided, because the record masks the compared values`,
    contract: (path: string) =>
      `the contract can't be checked at ${path}, because the record masks the value`,
    script: () => "the script read a value that is masked in the record, so its result is unknown",
    run: (id: string, what: string) =>
      `${what} in ${quote(id)} depends on a value that is masked in the record`,
  },
  "secret-undecidable": {
    assertion: () => "the assertion compares a secret, so it is not decided",
    assertions: (undecided: number, total: number) => ({
      message: `${undecided} of ${plural(total, "assertion")} ${undecided === 1 ? "compares a secret, so it is" : "compare a secret, so they are"} not decided`,
      hint: askPerson,
    }),
    script: () => ({ message: "the script read a secret, so its result is not used", hint: askPerson }),
    run: (id: string, what: string) => ({
      message: `${what} in ${quote(id)} depends on a secret, so it is not decided`,
      hint: askPerson,
    }),
    selector: () => ({
      message: "a placeholder selects something by a secret, so it is not resolved",
      hint: askPerson,
    }),
    parameter: (location: string, name: string) => ({
      message: `the ${location} parameter ${quote(name)} is a list or an object that contains a secret, so it is not sent`,
      hint: askPerson,
    }),
  },
  "script-timeout": {
    /** `place` is the line that was running. */
    timedOut: (timeoutMs: number, place: string | undefined) =>
      `the script did not finish within ${timeoutMs} ms and was stopped${place === undefined ? "" : ` at ${place}`}; if it needs more time, set the block's timeoutMs`,
  },
  "script-error": {
    undefinedValue: () => "the value is undefined",
    length: (length: number) => `the length is ${length}`,
    manyChecks: (limit: number) => `a script can make at most ${limit} checks with ctx.expect`,
    noSchema: (name: string, apis: readonly string[]) =>
      `no schema is named ${quote(name)} in the OpenAPI document of ${apis.map(quote).join(", ") || "an API that the workflow uses"}`,
    severalSchemas: (name: string, apis: readonly string[]) =>
      `several APIs have a schema named ${quote(name)}: ${apis.join(", ")}; name one: toMatchSchema(${quote(name)}, ${quote(apis[0] ?? "")})`,
    violations: (listed: readonly string[], count: number) =>
      count > listed.length ? `${listed.join("; ")}; and ${count - listed.length} more` : listed.join("; "),
    expectation: (
      source: string,
      phrase: string,
      { expected, actual, message }: Pick<AssertionView, "expected" | "actual" | "message">,
    ) =>
      `expected that ${source} ${phrase} ${stringifyJson(expected ?? null)}; received ${actual === undefined ? "nothing" : stringifyJson(actual)}${message === undefined ? "" : ` (${message})`}`,
    outside: () => "the script is not inside apis/workflow/scripts",
    missing: () => "the script file does not exist",
    inputsTooLarge: () => "the inputs are too large or too deeply nested for a script",
    valueTooLarge: () => "the value is too large or too deeply nested for a script",
    unreadableValue: () => "callsheet can't pass this value to the script",
    unknownApi: (api: string) => `the workflow does not use an API named ${quote(api)}`,
    // The parser's message quotes a part of the path, which may be half of a secret.
    path: (path: string, character: number) =>
      `${quote(path)} is not a valid path: error at character ${character}`,
    importedFile: (file: string, problem: string) => `${file}: ${problem}`,
    changedImport: (specifier: string) =>
      `${quote(specifier)} resolves to a different file than when the run started; start the run again`,
    blockEnded: () => "the block has ended, so its values can no longer be read",
    notCalled: () => "a script can't read values while it is loading",
    notStarted: () => "the script's process could not be started",
    heapFull: (limitMiB: number) => `the script ran out of memory: the limit is ${limitMiB} MiB`,
    memoryFull: () => "the script ran out of memory: its process exceeded the limit",
    exited: (exitCode: number, frames: string) =>
      `the script ended its process with exit code ${exitCode} before it finished${frames === "" ? "" : `\n${frames}`}`,
    killed: (signal: string) => `the script's process was terminated by ${signal} before the script finished`,
    ended: (exitCode: number | null) =>
      `the script's process ended with exit code ${exitCode} before the script finished`,
    debugger: (address: string, reason: "in use" | "denied" | undefined) =>
      `can't wait for a debugger on ${address}${
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
      `callsheet: the script wrote more than ${formatBytes(limitBytes)}; the rest is omitted`,
  },
}))
