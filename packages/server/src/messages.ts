// The messages of refused calls, by code.

import { defineMessages, plural, quote, suggestOrList } from "@callsheet/format"

const REVIEW_AGAIN = "nothing was written; review the change again"

export const messages = defineMessages(() => ({
  usage: {
    host: (host: string, loopback: string) => ({
      message: `--host is ${quote(host)}; expected an IP address`,
      hint: `use this machine's IP address, or ${loopback}`,
    }),
    remoteHost: (host: string) => ({
      message: `other machines could reach the app at ${quote(host)}`,
      hint: "remove --host, or add --allow-remote to allow it",
    }),
    environmentFile: () =>
      "an environment's files can't be renamed or deleted one by one; rename or delete the environment",
    projectFile: (file: string) => `${file} can't be renamed or deleted here`,
    unknownTag: (tag: string, known: readonly string[]) => ({
      message: `no operation has the tag ${quote(tag)}`,
      hint: suggestOrList(tag, known),
    }),
    otherPlace: () => "a rename can't change a file's kind, API or workflow",
  },
  "json-syntax": { body: () => "the body is not valid JSON" },
  "field-type": { body: () => "the body must be an object" },
  "field-unknown": { body: () => "the body has a field that this call does not accept" },
  "field-missing": { missing: (name: string) => `${name} is missing` },
  "field-value": {
    unbounded: (name: string) => `${name} is too large or contains invalid Unicode`,
    suitePart: () => "a suite runs as a whole, so it can't end at a block or run only one block",
    untilAndOnly: () => "a run can end at a block or run only one block, but not both",
  },
  "etag-missing": {
    missing: () => ({
      message: "a change must include the version of the file that it is based on",
      hint: "read the file again",
    }),
  },
  "file-missing": {
    file: (file: string) => `${quote(file)} does not exist`,
    request: () => "this saved request does not exist",
  },
  "file-exists": {
    sameName: () => ({ message: "the file already has this name", hint: "choose another name" }),
  },
  "import-source": {
    noUrl: () => ({
      message: "this is not a URL that callsheet can fetch",
      hint: "write an http or https URL, such as https://api.example.com/openapi.json",
    }),
    userinfo: () => ({
      message: "the URL contains a name or password, which callsheet doesn't send",
      hint: "remove the part before @, or download the document and import the file",
    }),
    redirectTo: (refusal: string) => `the address redirects to another one: ${refusal}`,
    redirects: (max: number) => `the address redirects more than ${max} times`,
    status: (status: number) => ({
      message: `the address answered with ${status}, not with a document`,
      hint: [401, 403].includes(status)
        ? "callsheet fetches documents without credentials; download it and import the file"
        : "check the address in a browser",
    }),
    html: () => ({
      message: "the address answered with an HTML page, not with an OpenAPI document",
      hint: "use the address of the document itself, which usually ends with .json or .yaml",
    }),
    broken: (message: string) => ({
      message,
      hint: "download the document another way, and import the file",
    }),
    slow: (seconds: number) => ({
      message: `the address did not send the whole document within ${seconds} s`,
      hint: "try again, or download the document and import the file",
    }),
    notDocument: () => "the address no longer answers with an OpenAPI document",
    expired: () => ({ message: "the fetched document has expired", hint: "fetch it again" }),
    otherFormat: (file: string) => ({
      message: `the address now answers with another format than ${quote(file)} has`,
      hint: "delete that file, and add the document from the address again",
    }),
    sharedDocument: (file: string) => ({
      message: `the document ${file} is outside apis/, and other projects may share it`,
      hint: "update the file itself",
    }),
    noDocument: () => ({
      message: "this API has no document to update",
      hint: "add the document from its address",
    }),
    exhausted: (seconds: number, mebibytes: number) => ({
      message: `the import needs more than ${seconds} s or ${mebibytes} MiB of memory`,
      hint: "import fewer files at a time",
    }),
  },
  "file-changed": {
    file: () => ({
      message: "another program changed the file after it was read",
      hint: "nothing was written",
    }),
    environment: () => ({
      message: "another program changed the environment after it was read",
      hint: "nothing was written",
    }),
    plan: () => ({ message: "a file changed after this preview was created", hint: REVIEW_AGAIN }),
  },
  "plan-unknown": {
    unknown: () => ({
      message: "this preview has expired, or the app was restarted since it was created",
      hint: "review the change again, then apply it",
    }),
  },
  "remote-refused": {
    script: () => ({
      message: "the app does not save scripts while other machines can reach it",
      hint: "start it without --host, or use your editor",
    }),
    import: () => ({
      message: "the app does not import while other machines can reach it",
      hint: "start it without --host, or use callsheet import",
    }),
    generate: () => ({
      message: "the app does not generate tests while other machines can reach it",
      hint: "start it without --host, or use callsheet generate",
    }),
    mock: () => ({
      message: "the app does not start mocks while other machines can reach it",
      hint: "start it without --host, or use callsheet mock",
    }),
    reveal: () => ({
      message: "the app does not reveal values while other machines can reach it",
      hint: "start it without --host, or use callsheet env read --reveal",
    }),
    login: () => ({
      message: "the app does not log in while other machines can reach it",
      hint: "start it without --host",
    }),
  },
  "confirm-required": {
    remote: () => ({
      message: "the app does not run against production while other machines can reach it",
      hint: "start it without --host, or use callsheet run",
    }),
  },
  "secret-committed": {
    hidden: (file: string) => ({
      message: `${quote(file)} contains the value of a secret, so the app does not show it`,
      hint: "open it in your editor",
    }),
  },
  "draft-limit": {
    full: (count: number) => ({
      message: `the app already keeps ${count} unsaved files, which is the limit`,
      hint: "save or discard some of them",
    }),
  },
  "script-type": {
    late: (seconds: number) => ({
      message: `TypeScript did not check the types of this script within ${seconds} seconds`,
      hint: "simplify types that refer to themselves",
    }),
    failed: (version: string) => ({
      message: `TypeScript ${version} could not check the types of this script in the app`,
      hint: "run callsheet validate --types",
    }),
  },
  "write-failed": {
    scriptCheck: () => ({
      message: "can't check the script: its process or temporary directory could not be created",
      hint: "nothing was written; set TMPDIR to use another temporary directory",
    }),
  },
  "project-missing": {
    gone: () => ({
      message: "the project directory no longer exists",
      hint: "restore it, or stop the app",
    }),
  },
  "run-limit": {
    full: (count: number) => ({
      message: `${count} runs are already in progress`,
      hint: "wait until one of them ends, or stop one",
    }),
    stopping: () => "the app is stopping",
  },
  "login-required": {
    ended: () => ({ message: "this login has ended", hint: "start it again" }),
  },
  "run-unknown": {
    unknown: () => ({
      message: "this run does not exist",
      hint: "the app keeps the last 50 runs of a workflow",
    }),
    responses: () => ({
      message: "the app no longer has the responses of this run",
      hint: "run it again, then accept the changes",
    }),
  },
  "workflow-unknown": { unreadable: () => "the workflow's file doesn't exist or can't be read" },
  refused: {
    otherAddress: () => "this server accepts only requests to its own address",
    otherOrigin: () =>
      "this server accepts requests only from its own page; open the page at the app's address",
    upgrade: () => "this server does not support connection upgrades",
  },
  unauthorized: {
    noSession: () => "this page has no session; run callsheet app --print-link and open the link",
    deadLink: () => ({
      message: "this link is invalid or has expired",
      hint: "a link works once and expires in five minutes; for another, run callsheet app --print-link",
    }),
  },
  "not-found": { nothing: () => "nothing is served at this path" },
  "content-type": { wrong: () => "the content type must be application/json" },
  "method-not-allowed": { allowed: (methods: string) => `this path accepts only ${methods}` },
  "too-large": { body: () => "the body is too large", headers: () => "the headers are too large" },
  "too-many": { pages: () => "too many pages are open" },
  "too-slow": { request: () => "the request took too long" },
  malformed: { request: () => "malformed HTTP request" },
  "document-invalid": {
    exhausted: (seconds: number, mebibytes: number) => ({
      message: `generating tests needs more than ${seconds} s or ${mebibytes} MiB of memory`,
      hint: "generate the tests of one resource or operation at a time",
    }),
    unreadable: () => "the API has no readable OpenAPI document",
    noneOf: (api: string) => ({
      message: `the API ${quote(api)} has no OpenAPI document`,
      hint: `save it as apis/${api}/openapi.yaml or openapi.json`,
    }),
    none: () => ({
      message: "no API of this project has an OpenAPI document",
      hint: "save it as apis/<api>/openapi.yaml, or import it: callsheet import <document>",
    }),
    notCompared: (reason: string) => `can't compare the document with the last commit: ${reason}`,
  },
  "variable-missing": {
    missing: (name: string, environment: string) =>
      `${quote(name)} has no valid value in the environment ${quote(environment)}`,
  },
}))

/** The notes of a change set, as whole sentences. */
export const notes = {
  more: (count: number, what: "note" | "place") => `${plural(count, `more ${what}`)} not shown.`,
  brokenMention: (name: string) => `this file has errors, so ${quote(name)} doesn't change here.`,
  scriptMention: (name: string) => `callsheet doesn't change ${quote(name)} in scripts.`,
  securityScheme: (name: string) =>
    `The variable contains the credentials of the security scheme ${quote(name)}. Without a variable of this name, callsheet sends requests without them.`,
  unsaved: (file: string) => `${file} has unsaved changes. They are kept: merge them with this change.`,
  documentSide: (side: "old" | "new", message: string) => `the ${side} document: ${message}`,
  noDocumentRepairs: (reason: string) => `Changes of documents aren't repaired: ${reason}.`,
  draftDropped: (file: string) => `Unsaved changes in ${file} contain a value and are discarded.`,
  draftHidden: (file: string) =>
    `Unsaved changes in ${file} contain a value. callsheet deletes them from disk and keeps them only until the app stops.`,
  operations: (does: "Adds" | "Removes", names: readonly string[], more: number) =>
    `${does} ${plural(names.length + more, "operation")}: ${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}.`,
  reports: (count: number) =>
    count === 1
      ? "A report of an earlier run contains a value and is deleted."
      : `${count} reports of earlier runs contain a value and are deleted.`,
  otherReports: () => "Reports in other places, for example in CI, might contain the values.",
  history: {
    moved: (files: string) => `The values are removed from ${files}.`,
    unknown: (reason: string) => `callsheet can't tell whether commits contain them: ${reason}.`,
    noCommits: () => "No commit contains these files.",
    replace: () => "They stay in the repository's history, so replace the secret itself.",
    commit: (hash: string, date: string, subject: string) =>
      `Commit ${hash} of ${date} might contain them: ${subject}`,
    moreCommits: (count: number, isAll: boolean) =>
      `${isAll ? "" : "At least "}${plural(count, "more commit")} might contain them.`,
    tracked: (file: string) => `${file} is under version control. To remove it, run git rm --cached.`,
  },
}

/** Reasons why the history of a repository can't be searched. */
export const historyReasons = {
  "no-git": "git is not installed",
  "no-repository": "the project is not in a git repository",
  "no-answer": "git did not respond",
}

/** Reasons why a document can't be compared with that of the last commit. */
export const baseReasons = {
  ...historyReasons,
  unknown: "the repository has no commit",
  "no-base": "the repository has no commit",
  shallow: "the repository has no commit",
}
