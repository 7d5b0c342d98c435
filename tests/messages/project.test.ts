import { projectMessages } from "@callsheet/project"
import { describeMessages } from "./describe-messages.ts"

const file = "apis/shop/environments/local.json"
const lock = "/run/user/locks/shop.lock"

describeMessages("project", projectMessages, {
  "project-missing": { missing: [["/home/me/shop"]] },
  "project-exists": { exists: [["."]] },
  "api-name": { invalid: [["My API"]] },
  "workflow-unknown": {
    unknown: [
      ["pya", ["buy", "pay"]],
      ["apis/workflow/pya.json", ["buy", "pay"], "pya"],
      ["checkout", Array.from({ length: 21 }, (_, index) => `w${index}`)],
      ["checkout", []],
    ],
    isSuite: [["nightly"]],
    otherFile: [
      ["apis/shop/openapi.json", undefined],
      [
        "apis/workflow/pay.yaml",
        projectMessages["file-stray"].misplaced("workflow", "pay.yaml", "apis/workflow/pay.json"),
      ],
    ],
  },
  "workflow-name": { invalid: [["a b"]], twins: [["Pay", "pay"]] },
  "instance-name": {
    invalid: [["con", "a directory of saved requests", "Windows reserves it for a device"]],
    twins: [["Orders", "orders"]],
  },
  "script-name": {
    invalid: [["a?b", "a script", 'Windows does not allow "?" in it']],
    twins: [["caf\u00e9", "cafe\u0301"]],
  },
  "file-twin": { twins: [["apis/shop/requests/a/Get.json", "apis/shop/requests/a/get.json"]] },
  "document-ambiguous": { two: [["openapi.json", "openapi.yaml"]] },
  "file-unreadable": {
    noDocuments: [["../contracts"]],
    file: [["permission denied"]],
    directory: [["permission denied"]],
    wrongKind: [["folder"], ["other"]],
    brokenLink: [[]],
    tooLarge: [[16_777_217, 16_777_216]],
    largeDocument: [[150_000_000, 134_217_728]],
    busy: [[]],
  },
  "file-encoding": { notUtf8: [[file]] },
  "link-outside": {
    noRepository: [["../contracts"]],
    beyond: [["../../contracts"]],
    reference: [[]],
    repository: [[]],
    link: [[]],
    path: [[]],
    script: [[]],
  },
  "path-refused": {
    onDisk: [["reports/run.json", "reports is a symbolic link"]],
    foreign: [["reports/run.json"]],
  },
  "file-stray": {
    scripts: [["pya", 'did you mean "pay"?']],
    folder: [["request", 'did you mean "requests"?']],
    misnamedDocument: [["openapi.json"]],
    misplaced: [
      ["workflow", "pay.JSON", "apis/workflow/pay.json"],
      ["request", "get.json", "requests/<resource>/get.json"],
      ["environment", "local.yaml", "local.json"],
      ["document", "openapi.json", "apis/<api>/openapi.json"],
    ],
  },
  "watch-limit": { reached: [[]] },
  "env-name": { twin: [["Local", "local"]] },
  "env-exists": { exists: [["shop", "local"]], file: [[file]] },
  "env-in-use": {
    extended: [
      ["base", ["local"]],
      ["base", ["ci", "local"]],
    ],
    unreadable: [
      ["base", "delete", ["ci"]],
      ["base", "rename", ["ci", "local"]],
    ],
  },
  "variable-undeclared": {
    undeclared: [
      ["shop", "tokn", ["token"]],
      ["shop", "user", ["token"]],
    ],
  },
  "variable-type": {
    empty: [["port", "number"]],
    retyped: [["port", "number"]],
    default: [["port", "number"]],
  },
  "variable-reserved": { reserved: [["extends"], ["level"]] },
  "variable-exists": { sameName: [["port"]], declared: [["shop", "port"]], value: [["port"]] },
  "secret-values": { undecided: [["token", ["ci", "local"]]] },
  "secret-unquotable": {
    given: [["token", "it contains a NUL character"]],
    moved: [["token", "it contains a NUL character"]],
  },
  "dotenv-syntax": { openQuote: [["token"]] },
  usage: { unset: [["port"]], repeated: [["port"]] },
  "file-changed": { changed: [[]], rows: [[]] },
  "file-exists": {
    exists: [["apis/shop/requests/a/get.json"]],
    otherContent: [["apis/shop/requests/a/get.json"]],
    otherSuite: [["shop"]],
  },
  "field-value": { journal: [[]] },
  "write-failed": {
    failed: [[file, "the disk is full", "nothing was changed"]],
    lock: [["permission denied"]],
    lockDirectory: [["/run/user/locks"]],
    journal: [[]],
    unfinished: [['rename the environment "a" of the API "shop" to "b"', file, "permission denied"]],
    conflict: [[]],
  },
  locked: {
    unreadable: [[lock, "permission denied"]],
    locked: [
      [lock, { pid: 4711, host: "ci-7" }],
      [lock, undefined],
    ],
  },
})
