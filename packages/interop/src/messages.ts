// The messages about sources that can't be imported, and the reasons of losses.

import { defineMessages, quote } from "@callsheet/format"
import { defineReasons } from "./losses.ts"

const formats =
  "Postman 2.0 and 2.1, Bruno, OpenCollection, Insomnia 4 and 5, HAR 1.2, curl commands, Arazzo and OpenAPI"

export const messages = defineMessages(() => ({
  "import-source": {
    unknown: (file: string) => ({
      message: `${quote(file)} is not in a format that callsheet can import`,
      hint: `callsheet imports ${formats}`,
    }),
    url: () => ({
      message: "callsheet imports files, not URLs",
      hint: "download the file first, for example with curl -LO <url>, then import it",
    }),
    oldPostman: (file: string) => ({
      message: `${quote(file)} is a Postman collection of version 1`,
      hint: "export it from Postman as Collection v2.1",
    }),
    oldInsomnia: (file: string) => ({
      message: `${quote(file)} is an Insomnia export of an old version`,
      hint: "export it from Insomnia as version 4 or 5",
    }),
    directory: (directory: string) => ({
      message: `${quote(directory)} has no bruno.json and no opencollection.yml`,
      hint: "callsheet imports a directory only if it is a Bruno or OpenCollection collection",
    }),
    bru: (file: string) => ({
      message: `${quote(file)} is not valid .bru syntax`,
      hint: "open the file in Bruno to repair it",
    }),
    unclosed: (file: string, mark: string) => ({
      message: `${quote(file)} has a ${quote(mark)} without an end, so the commands after it are unknown`,
      hint: "close it; in a text in single quotes, write a single quote as '\\''",
    }),
    large: (directory: string, max: string) => `${quote(directory)} has more than ${max}`,
    deep: (file: string, max: number) => `${quote(file)} has folders nested more than ${max} deep`,
    none: (files: readonly string[]) => ({
      message: `${files.map(quote).join(", ")}: only variables, and no requests to import`,
      hint: "add the file of the collection",
    }),
    several: (first: string, second: string) => ({
      message: `${quote(first)} and ${quote(second)} are two collections`,
      hint: "import one collection at a time, with its environments",
    }),
    document: (file: string) => ({
      message: `${quote(file)} is not an OpenAPI document`,
      hint: "--document takes an OpenAPI or Swagger document",
    }),
    notOneRequest: (requests: number) => ({
      message: `this is ${requests === 0 ? "not a request" : `${requests} requests`}; expected one URL or one curl command`,
      hint:
        requests === 0
          ? "start it with http://, https:// or curl"
          : "import them as a workflow: choose Import requests",
    }),
    documents: (file: string, names: readonly string[]) => ({
      message: `${quote(file)} has the OpenAPI sources ${names.map(quote).join(", ")}`,
      hint: "--document replaces a single source; import each document first, as an API with the source's name",
    }),
    secretInDocument: (file: string, variable: string) => ({
      message: `${quote(file)} contains the value of the secret ${quote(variable)}, and isn't valid without it`,
      hint: "remove the value from the document, and use another secret",
    }),
    secretLeft: (file: string, variable: string) => ({
      message: `${quote(file)} would contain the value of the secret ${quote(variable)}`,
      hint: "remove the value from the source, or use another secret",
    }),
    privateFile: (path: string) => ({
      message: `the document refers to ${quote(path)}, which looks like a secret or a key`,
      hint: "remove the reference, or move what it needs to another file",
    }),
    apiName: (name: string) => ({
      message: `${quote(name)} is not a valid name for an API`,
      hint: "set one with --api: lowercase letters, digits, _ and -",
    }),
  },
  "file-exists": {
    otherDocument: (own: string, file: string) => ({
      message: `the API already has the document ${quote(own)}, so ${quote(file)} can't be added`,
      hint: "remove the old document, or import without --document to use it",
    }),
  },
}))

/** The reasons why something isn't imported completely. No reason contains a value. `causes` has the severity of each. */
const reasonTexts = {
  response: () => "callsheet doesn't store example responses; contract checks use the OpenAPI document",
  disabled: () => "it is disabled in the source",
  color: () => "callsheet doesn't show colors",
  tags: () => "callsheet doesn't tag requests; select workflows by name with --grep",
  setting: () => "callsheet doesn't support this setting",
  cookies: () => "callsheet starts each run without cookies",
  apiSpec: () => "save this OpenAPI document as a file, and import again with --document",
  sourceFile: () => "the script is in another file, which the collection doesn't contain",
  bodyPruned: (method: string) => `the source tool doesn't send a body with ${method}`,
  bodyMode: () => "callsheet doesn't support this body type",
  unnamedFile: () => "the source doesn't name a file",
  authMethod: (name: string) => `callsheet doesn't support ${name} here; set its header yourself`,
  basicUnknown: (variable: string) =>
    `a name or password has no value; set ${quote(variable)} to the Base64 text of name:password`,
  dynamic: (stand: string) => `callsheet doesn't support this dynamic value; it sends ${stand}`,
  randomInteger: () => "callsheet's numbers range up to 2147483647",
  repeatedQuery: () => "a query parameter can't repeat; callsheet sends only the first value",
  variableName: (name: string) => `names of variables are ASCII, so callsheet calls it ${name} everywhere`,
  literalBraces: () => "no variable has this name, so callsheet sends the text with its braces",
  partsOfUrl: () =>
    "its value has several parts of a URL and depends on the environment; callsheet encodes it as one part",
  variableInName: () => "names can't contain variables",
  partsInVariable: (variables: string) =>
    `only the value of ${variables} has its name, and the commands before don't set it; write it out`,
  headerName: () => "HTTP does not allow this name",
  host: () => "callsheet always sends the host of the URL",
  pattern: () => "callsheet sends one request per URL; write each URL",
  orphan: () => "its folder is not in the export",
  folderVariable: () =>
    "another value exists outside this folder, and callsheet has one value per environment",
  invalidMethod: () => "it is not a valid HTTP method",
  noUrl: () => "the request has no URL",
  notUrl: () =>
    "its URL is not valid, for example because of a space or a missing brace; correct it in the source",
  notUrlOf: (variables: string) => `with the value of ${variables}, the URL is not valid; correct the value`,
  scheme: () => "callsheet sends only http and https requests",
  notAllowed: () =>
    "an import copies only files that you allow; set --files to a directory that contains this file",
  outside: () =>
    "its path leads out of the directory of the imported file; move the file there, and set --files",
  private: () =>
    "an import never copies hidden files, secrets files or keys; if this is test data, allow a copy with another name and content",
  secretByVariable: (variable: string) =>
    `it has the value of the secret ${variable}, so callsheet writes the variable instead`,
  secretRemoved: (variable: string) =>
    `it has the value of the secret ${variable}, so callsheet leaves it out`,
  secretInDocument: (variable: string) =>
    `it has the value of the secret ${variable}, so the copy has another value in its place`,
  secretFile: (variable: string) =>
    `the file has the value of the secret ${variable}, so callsheet doesn't copy it`,
  secretVariable: () => "its value contains that of a secret, so callsheet declares it as a secret, too",
  unreadable: () => "the file doesn't exist, can't be read, or is larger than 16 MiB",
  upload: () => "the app can't read files that a source names; use callsheet import with --files",
  unquotable: () => "a secrets file can't contain this value; set it with --var",
  setElsewhere: () => "a script in another workflow or a later script sets it; pass its value with --var",
  passedBody: () =>
    "it is a whole body, which can't pass between the workflows of a suite if it is an object or a list; pass its parts",
  console: () => "assertions can't print",
  binaryBody: () => "the body is binary",
  fileContent: () => "the archive doesn't contain the file",
  substitution: () => "callsheet doesn't run commands; set the value yourself",
  otherCommand: () => "only curl commands are imported",
  notText: () =>
    "the file is not UTF-8 text, which callsheet can send only as a whole body or as an uploaded file",
  kind: () => "callsheet sends only HTTP requests",
  externalSecrets: () => "declare a secret, and refer to your own resolver with secret://",
  sourceType: (type: string) => `callsheet doesn't import sources of type ${type}`,
  controlFlow: () => "add a condition or loop block, or order the workflows yourself",
  inputType: (type: string) => `an input can't have the type ${type}; expected string, number or boolean`,
  noOperationOfStep: () => "it does not call an operation of an OpenAPI document",
  unknownOperation: (name: string, source: string) =>
    `the document of ${quote(source)} has no operation ${quote(name)}; set the document with --document`,
  expression: () => "workflows can't read this value",
  replacement: () => "the payload does not contain this target",
  criterion: () => "no assertion has the same meaning",
  templateTag: () => "callsheet doesn't support template tags",
  variableChain: () => "its value depends on variables without a value",
  script: (file: string) => `${file} contains the code as a comment; translate it`,
} as const

/** The severity of each reason, and the group in which its losses are listed. */
export const reasons = defineReasons(reasonTexts, {
  response: ["information", "saved responses"],
  disabled: ["information", "disabled items"],
  color: ["information", "colors"],
  tags: ["information", "tags"],
  setting: ["changes-results", "unsupported settings"],
  cookies: ["changes-results", "saved cookies"],
  apiSpec: ["needs-hand", "documents to add"],
  sourceFile: ["needs-hand", "scripts to finish"],
  bodyPruned: ["information", "bodies that the source doesn't send"],
  bodyMode: ["changes-results", "bodies left out"],
  unnamedFile: ["needs-hand", "files to add"],
  authMethod: ["needs-hand", "authentication to set up"],
  basicUnknown: ["needs-hand", "authentication to set up"],
  dynamic: ["changes-results", "other random values"],
  randomInteger: ["changes-results", "other random values"],
  repeatedQuery: ["changes-results", "repeated query parameters"],
  variableInName: ["changes-results", "variables in names"],
  partsInVariable: ["changes-results", "parts in unknown variables"],
  headerName: ["changes-results", "headers left out"],
  host: ["changes-results", "headers left out"],
  pattern: ["changes-results", "requests left out"],
  orphan: ["changes-results", "requests left out"],
  folderVariable: ["changes-results", "variables of folders"],
  invalidMethod: ["changes-results", "requests left out"],
  noUrl: ["changes-results", "requests left out"],
  scheme: ["changes-results", "requests left out"],
  notAllowed: ["needs-hand", "files to add"],
  outside: ["needs-hand", "files to add"],
  private: ["needs-hand", "files to add"],
  secretByVariable: ["information", "secrets replaced by variables"],
  secretRemoved: ["needs-hand", "secrets removed from texts"],
  secretInDocument: ["information", "secrets replaced in the document"],
  secretFile: ["needs-hand", "files to add"],
  secretVariable: ["information", "further secret variables"],
  unreadable: ["needs-hand", "files to add"],
  upload: ["needs-hand", "files to add"],
  unquotable: ["needs-hand", "values to set"],
  setElsewhere: ["needs-hand", "values to set"],
  passedBody: ["needs-hand", "values to set"],
  console: ["information", "console output"],
  binaryBody: ["changes-results", "bodies left out"],
  fileContent: ["needs-hand", "files to add"],
  substitution: ["needs-hand", "values to set"],
  otherCommand: ["changes-results", "other commands"],
  notText: ["needs-hand", "files to add"],
  variableName: ["information", "names of variables that changed"],
  literalBraces: ["information", "braces that stay text"],
  partsOfUrl: ["changes-results", "URLs that differ by environment"],
  notUrl: ["changes-results", "requests left out"],
  notUrlOf: ["changes-results", "requests left out"],
  kind: ["changes-results", "requests left out"],
  externalSecrets: ["needs-hand", "values to set"],
  sourceType: ["changes-results", "sources left out"],
  controlFlow: ["needs-hand", "control flow to rebuild"],
  inputType: ["changes-results", "inputs left out"],
  noOperationOfStep: ["changes-results", "requests left out"],
  unknownOperation: ["changes-results", "requests left out"],
  expression: ["changes-results", "values that workflows can't read"],
  replacement: ["changes-results", "values that workflows can't read"],
  criterion: ["changes-results", "checks left out"],
  templateTag: ["changes-results", "template tags"],
  variableChain: ["needs-hand", "values to set"],
  script: ["needs-hand", "scripts to finish"],
})
