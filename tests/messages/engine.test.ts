import { certificateReasons, messages, protocolReasons } from "../../packages/engine/src/messages.ts"
import { describeMessages } from "./describe-messages.ts"

/** A sample of each key of a table. */
const each = <Key extends string, Sample>(
  table: Readonly<Record<Key, string>>,
  sample: (key: Key) => Sample,
) => (Object.keys(table) as Key[]).map(sample) as [Sample, ...Sample[]]

const shop = { host: "shop.example", address: "shop.example:443", proxyVariable: undefined }
const token = { scheme: "shop.oauth", variables: "oauth" }
const proxy = { host: "::1", address: "[::1]:8080", proxyVariable: "HTTPS_PROXY" }
const unresolved = {
  api: "shop",
  environment: "staging",
  variable: "apiKey",
  resolver: "vault",
  file: "~/.config/callsheet/config.json",
}
type Unresolved = Parameters<(typeof messages)["secret-unresolved"]["unresolved"]>[0]
const timeout = { method: "GET", url: "http://shop.example/items", timeoutMs: 100, elapsedMs: 103 }

describeMessages("engine", messages, {
  "port-unusable": { unusable: [["127.0.0.1", 4000, "another program uses it"]] },
  "env-missing": { none: [["shop"]] },
  "service-unavailable": {
    unsupported: [["inbox"], ["mock"]],
    noDocument: [["payments"]],
    refused: [
      ["inbox", "callsheet can't listen on port 8080 of 127.0.0.1: another program listens there"],
      ["mock", "the record calls.record contains no answered requests to payments"],
    ],
  },
  "env-ambiguous": {
    notChosen: [["shop", ["local", "staging"], "callsheet run checkout --env shop=local"]],
  },
  "variable-type": {
    baseUrl: [
      [{ api: "shop", environment: "local", fault: "is not an http or https URL", setBy: undefined }],
      [
        {
          api: "shop",
          environment: "local",
          fault: "starts or ends with a space or a line break",
          setBy: "CALLSHEET_VAR__SHOP__BASE_URL",
        },
      ],
    ],
  },
  "variable-missing": {
    baseUrl: [
      [{ api: "shop", environment: "local", isDeclared: false, server: undefined }],
      [
        {
          api: "shop",
          environment: "local",
          isDeclared: true,
          server: 'the server "/v1" of its document is not an absolute http or https URL',
        },
      ],
    ],
  },
  "secret-unresolved": {
    unresolved: (
      [
        "no file",
        "no resolver",
        "not started",
        "timeout",
        "too large",
        "not JSON",
        "not text",
        "no value",
        "option",
        { program: "op", refused: undefined },
        { program: "op", refused: { file: "/shop/tools/op", because: "project" } },
        { program: "op", refused: { file: "/node_modules/.bin/op", because: "packages" } },
        { program: "op", refused: { file: "/srv/bin/op", because: "others" } },
        { program: "az", refused: { file: "C:\\Azure\\az.cmd", because: "batch" } },
        { exitCode: 1 },
        { killedBy: "SIGSEGV" },
      ] as const
    ).map((reason) => [{ ...unresolved, reason }]) as [[Unresolved], ...[Unresolved][]],
  },
  "user-file-unsafe": { inProject: [[]], foreign: [[]], open: [["644"]] },
  "input-missing": {
    missing: [
      ["sku", "string", undefined],
      ["count", "number", "How many items to order"],
    ],
    unresolved: [["orderId", '{{order.response.body.id}} does not resolve: "order" has not run']],
  },
  "input-unknown": {
    ofWorkflow: [
      ["skuu", "checkout", ["sku"], 'did you mean "sku"?'],
      ["x", "checkout", ["count", "sku"], undefined],
      ["x", "browse", [], undefined],
    ],
    unknown: [
      ["skuu", ["sku"], 'did you mean "sku"?'],
      ["x", ["count", "sku"], undefined],
      ["x", [], undefined],
    ],
  },
  "traceparent-invalid": { ignored: [[]] },
  "retry-unsafe": {
    methods: [
      ["checkout", ["POST"], true],
      ["checkout", ["POST", "PATCH"], false],
      ["checkout", ["?"], false],
    ],
  },
  "confirm-required": {
    production: [
      [
        {
          bindings: [
            {
              api: "shop",
              environment: "live",
              requests: "at least 2 requests",
              methods: ["GET 1", "POST 1"],
            },
            { api: "pay", environment: "eu", requests: "at least 1 request", methods: ["POST 1"] },
          ],
          wasAsked: false,
          command: "callsheet run checkout --env shop=live --env pay=eu",
        },
      ],
      [
        {
          bindings: [
            { api: "shop", environment: "live", requests: "at least 1 request", methods: ["GET 1"] },
          ],
          wasAsked: true,
          command: "callsheet run checkout --env shop=live",
        },
      ],
    ],
  },
  "block-unknown": { unknown: [["creat", 'did you mean "create"?']] },
  "results-missing": { noRun: [[]], loopNotRun: [["each"]] },
  "secrets-tracked": {
    tracked: [
      ["git rm --cached -- apis/shop/environments/local.secrets.env", undefined],
      [
        "git rm --cached -- apis/shop/environments/local.secrets.env",
        { file: ".gitignore", add: "*.secrets.env" },
      ],
    ],
  },
  "secrets-unignored": {
    unignored: [
      [{ file: ".gitignore", add: "*.secrets.env" }],
      [{ file: "apis/.gitignore:2", remove: "!*.secrets.env" }],
    ],
  },
  "tls-unverified": { unverified: [["shop", "local"]] },
  "script-result-ignored": {
    ignored: [
      ["assert", "check", "false"],
      ["script", "load", "a function"],
    ],
  },
  "import-todo": { skipped: [["create_after"]] },
  "status-unread": { unread: [["create", 500, undefined]] },
  "credential-invalid": {
    blank: [['the variable "token" of the API "shop" (CALLSHEET_VAR__SHOP__TOKEN)', "line break"]],
    twice: [
      ["Bearer", 'the variable "token" of the API "shop" (apis/shop/environments/local.secrets.env)'],
      ["Basic", undefined],
    ],
    noColon: [['the variable "token" of the API "shop" (apis/shop/environments/local.secrets.env)']],
    lineBreak: [['the variable "token" of the API "shop" (CALLSHEET_VAR__SHOP__TOKEN)']],
  },
  "stream-item-invalid": {
    fault: [
      ["not-json", 3, 1],
      ["not-utf8", 0, 2],
    ],
    cut: [[]],
  },
  "header-invalid": {
    repeated: [
      ["content-type", 2, "application/json"],
      ["location", 3, undefined],
    ],
    coding: [["UTF-8"], [undefined]],
  },
  "redirect-body": { dropped: [[{ status: 301, from: "POST", to: "GET" }]] },
  "secrets-unmasked": { full: [[100_000, 33_554_432]] },
  "file-unreadable": {
    notFile: [[]],
    tooLarge: [[16_777_217, 16_777_216]],
    denied: [[]],
    system: [["EIO"]],
    unconfirmed: [[]],
  },
  "token-unresolved": {
    unresolved: [["create.response.body.id", '"create.response.body" has no "id"']],
    malformed: [["{{a", "a placeholder is not closed; expected }}"]],
  },
  "loop-source": {
    unresolved: [["list.response.body.items", '"list.response.body" has no "items"']],
    notArray: [["list.response.body", "is an object"]],
  },
  "until-exhausted": {
    assertion: [
      [5, "get.response.status equals 200", { received: "404" }],
      [1, "get.response.body.done equals true", { unresolved: '"get.response.body" has no "done"' }],
      [5, "get.response.body.done exists", {}],
    ],
    script: [[5], [1]],
    arrived: [
      [[], 0],
      [
        [
          ["POST /orders", 1],
          ["POST /parcels", 12],
        ],
        0,
      ],
      [[["POST /orders/1", 1]], 3],
    ],
  },
  "child-failed": {
    block: [[]],
    iterations: [
      [1, 1],
      [3, 5],
    ],
  },
  "assertion-failed": {
    limited: [["the server limits the rate of requests"]],
    brokenBody: [["is not valid JSON: error at line 1, column 13"]],
    failed: [
      [1, 1],
      [2, 3],
    ],
    unresolved: [['"create.response.body" has no "id"']],
  },
  "snapshot-missing": { missing: [["create", "snapshots/checkout/create.json"]] },
  "snapshot-differs": {
    differs: [
      ["snapshots/checkout/create.json", ["response.status"], 0],
      ["snapshots/checkout/create.json", ["response.body.total", "response.body.items[0].sku"], 2],
    ],
    added: [[]],
    vanished: [[]],
    type: [["a number", "a string"]],
  },
  "contract-broken": {
    broken: [
      [
        { method: "GET", path: "/items" },
        { path: "response.body.id", message: "missing required property" },
        0,
      ],
      [{ method: "GET", path: "/items" }, { path: "response.status", message: "404 is not documented" }, 2],
      [{ method: "GET", path: "/items" }, undefined, 0],
    ],
    notKnown: [["the response violates the contract of GET /items: /body/id: missing required property"]],
  },
  "baseline-expired": {
    failed: [
      [
        { method: "GET", path: "/items" },
        { path: "/body/id", message: "missing required property" },
        "2026-11-30",
      ],
    ],
  },
  "too-many-redirects": {
    tooMany: [[10, ["302 http://a.example/1", "302 http://a.example/2"]]],
    circle: [
      [10, ["http://a.example/1", "http://a.example/1"]],
      [10, ["http://a.example/1", "http://a.example/2", "http://a.example/1"]],
    ],
  },
  "request-timeout": {
    timedOut: [
      [{ ...timeout, url: undefined, phase: "queued" }],
      [{ ...timeout, phase: "connecting" }],
      [{ ...timeout, phase: "handshake" }],
      [{ ...timeout, phase: "sending" }],
      [{ ...timeout, phase: "waiting" }],
      [{ ...timeout, phase: "headers" }],
      [{ ...timeout, phase: "decoding" }],
      [{ ...timeout, phase: { bodyBytes: 512 } }],
    ],
  },
  cancelled: { request: [[]], run: [[]] },
  "request-failed": {
    tornSecret: [["query", "ids"]],
    bodyType: [
      ["text", "a number"],
      ["form", "a string"],
      ["multipart", "an array"],
      ["file", "an object"],
    ],
    halfCharacter: [["body"], ["form"], [{ part: "note" }]],
    partLineBreak: [["photo"]],
    bodyFile: [["photos/a.png", '"photos/a.png": can\'t read the file: it does not exist']],
    method: [[]],
    connect: [[]],
    header: [['the header name "x y" is not a valid HTTP token']],
    contentLength: [["content-length", 12]],
    transferEncoding: [["transfer-encoding"]],
    trailer: [["trailer"]],
    cookieName: [["a b"]],
    cookieValue: [
      ["session", "semicolon"],
      ["session", "quotation mark"],
    ],
    url: [
      ["relative"],
      ["no host"],
      ["bad host"],
      ["character"],
      [{ scheme: "ftp" }],
      [{ proxyVariable: "HTTP_PROXY" }],
    ],
    redirectUrl: [["not a URL"], ["no host"], [{ scheme: "ftp" }]],
    secretBody: [[]],
    certificate: each(certificateReasons, (code) => [code]),
    plainServer: [[8080, "ERR_SSL_WRONG_VERSION_NUMBER"]],
    tlsServer: [[]],
    certificateFile: [["https://shop.example", "key"]],
    certificateFormat: [
      ["https://shop.example", "ca", "binary"],
      ["https://shop.example", "key", "binary"],
      ["https://shop.example", "cert", "text"],
      ["https://shop.example", "ca", "other"],
      ["https://shop.example", "pfx", "pem"],
    ],
    clientCertificate: [["https://shop.example", "ERR_CRYPTO_OPERATION_FAILED"]],
    handshake: [
      ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tlsv13 alert certificate required"],
      ["ERR_SSL_NO_CIPHER_MATCH", "no ciphers available"],
      ["EPROTO", "tlsv1 alert protocol version"],
      ["EPROTO", "sslv3 alert handshake failure"],
      ["EPROTO", "unsafe legacy renegotiation disabled"],
      ["EPROTO", undefined],
    ],
    proxyRefusal: [["proxy.example:3128", 502]],
    started: [["could not decode the response: the gzip data is corrupt", "the bytes 00 01"]],
    notText: [["application/json", { encoding: "utf-8", offset: 12, byte: 0xe9 }]],
    proxyAuthentication: [
      [{ address: "proxy.example:3128", variable: "HTTPS_PROXY", hasCredentials: false, schemes: ["Basic"] }],
      [
        {
          address: "proxy.example:3128",
          variable: "http_proxy",
          hasCredentials: true,
          schemes: ["Negotiate", "NTLM"],
        },
      ],
    ],
    connection: [
      ["ECONNREFUSED", shop],
      ["ECONNREFUSED", proxy],
      ["ENOTFOUND", shop],
      ["EAI_AGAIN", shop],
      ["ECONNRESET", shop],
      ["EPIPE", shop],
      ["EHOSTUNREACH", shop],
      ["ETIMEDOUT", shop],
      ["EMFILE", shop],
      ["EOTHER", shop],
    ],
    emptyReply: [
      ["ECONNRESET", false],
      ["ECONNRESET", true],
    ],
    cutHeaders: [[]],
    largeHeaders: [[262_144, "HPE_HEADER_OVERFLOW"]],
    malformed: each(protocolReasons, (reason) => [
      reason,
      reason.startsWith("HPE_") ? reason : reason === "http2" ? "HPE_INVALID_CONSTANT" : undefined,
    ]),
    largeBody: [[52_428_800], [1000]],
    endedEarly: [
      [{ received: 3, announced: "5", isChunked: false, end: "closed", code: "ECONNRESET" }],
      [{ received: 3, announced: undefined, isChunked: true, end: "reset", code: "ECONNRESET" }],
      [{ received: 3, announced: undefined, isChunked: false, end: "closed", code: "ECONNRESET" }],
    ],
    manyCodings: [[7, 5]],
    unknownCoding: [["lzma"], [undefined]],
    unsupportedCoding: [["zstd"]],
    shortData: [["gzip"]],
    corruptData: [["br"]],
  },
  "login-required": {
    notAsked: [["shop.oauth"]],
    denied: [
      ["shop.oauth", "access_denied"],
      ["shop.oauth", "\u001b"],
    ],
    late: [["shop.oauth"]],
    secret: [["shop.oauth"]],
    page: [["shop.oauth"]],
    failed: [
      ["could not get a token for shop.oauth: the token endpoint responded with status 400", undefined],
      [
        "could not get a token for shop.oauth: shop.example:443 refused the connection (ECONNREFUSED)",
        "is the server running?",
      ],
    ],
    noClient: [["shop.oauth"]],
  },
  "auth-failed": {
    login: [["shop.oauth"]],
    privateKey: [["shop.oauth", "oauth_privateKey"]],
    variable: [
      ["shop.oauth", "oauth_grant", "client_credentials, password, refresh_token or authorization_code"],
    ],
    unreachable: [
      ["shop.oauth", "shop.example:443 refused the connection (ECONNREFUSED)", "is the server running?"],
    ],
    refused: [
      [{ ...token, status: 400, error: "invalid_grant: The password is wrong" }],
      [{ ...token, status: 401, error: "invalid_client" }],
      [{ ...token, status: 400, error: "unsupported_grant_type" }],
      [{ ...token, status: 400, error: "invalid_scope" }],
      [{ ...token, status: 404, error: undefined }],
      [{ ...token, status: 500, error: undefined }],
    ],
    redirected: [["shop.oauth", 302, "oauth_tokenUrl"]],
    response: [["shop.oauth", 'has no "access_token"']],
    discovery: [
      ["shop.oidc", "could not be read: the provider responded with status 404", "oidc_tokenUrl"],
      ["shop.oidc", 'has an "issuer" that is not the start of its URL', "oidc_tokenUrl"],
      ["shop.oidc", "is at a URL that does not say its issuer", "oidc_tokenUrl"],
    ],
  },
  "value-too-large": { repeats: [[16 * 1024 * 1024]] },
  "unexpected-error": { bug: [["TypeError"]] },
  "replay-undecidable": {
    assertion: [[]],
    assertions: [[1], [2]],
    contract: [["/body/token"]],
    script: [[]],
    run: [["poll", "the condition of the loop"]],
  },
  "secret-undecidable": {
    assertion: [[]],
    assertions: [
      [1, 1],
      [2, 3],
    ],
    script: [[]],
    run: [["poll", "the condition of the loop"]],
    selector: [[]],
    parameter: [["query", "ids"]],
  },
  "script-timeout": {
    timedOut: [
      [5000, "apis/workflow/scripts/checkout/checks.ts:12"],
      [5000, undefined],
    ],
  },
  "script-error": {
    undefinedValue: [[]],
    length: [[2]],
    manyChecks: [[10_000]],
    noSchema: [
      ["Ordr", ["shop"]],
      ["Order", []],
    ],
    severalSchemas: [["Order", ["shop", "pay"]]],
    violations: [
      [["/id: missing required property"], 1],
      [["/a: expected a string"], 4],
    ],
    expectation: [
      ["items.length", "is at least", { expected: 3, actual: 2 }],
      ["value", "matches", { expected: "/a/", message: "the value is undefined" }],
    ],
    outside: [[]],
    missing: [[]],
    inputsTooLarge: [[]],
    valueTooLarge: [[]],
    unreadableValue: [[]],
    unknownApi: [["pay"]],
    path: [["a..b", 3]],
    importedFile: [["/project/lib.ts", "can't read the file: permission denied"]],
    changedImport: [["./lib"]],
    blockEnded: [[]],
    notCalled: [[]],
    notStarted: [[]],
    heapFull: [[1024]],
    memoryFull: [[]],
    exited: [
      [3, "    at helpers.ts:4:2"],
      [0, ""],
    ],
    killed: [["SIGKILL"]],
    ended: [[1]],
    debugger: [
      ["port 9229 of 127.0.0.1", "in use"],
      ["port 80 of 127.0.0.1", "denied"],
      ["port 9229 of 127.0.0.1", undefined],
    ],
  },
  usage: { debugger: [["can't wait for a debugger on port 9229 of 127.0.0.1"]] },
  log: { full: [[1_048_576]] },
})
