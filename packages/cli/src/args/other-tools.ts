// Translates commands and options that people know from other tools to those of callsheet. Loaded only for misuse.

import { ownOf } from "@callsheet/format"

const reporter = "write --reporter <name> or --reporter <name>=<file> once per reporter"
const insecure = 'set "tls": { "verify": false } in the environment\'s file'
const clientCertificate = "name client certificates in ~/.config/callsheet/config.json"
const authority = "set NODE_EXTRA_CA_CERTS=<file> to trust a certificate authority"

/** What to write instead of an option of `newman run`, `bru run`, `hurl` or Step CI. */
const runOptions: Readonly<Record<string, string>> = {
  "-e": "write --env <environment>",
  "--environment": "write --env <environment>",
  "-d": "write --data <file>",
  "--iteration-data": "write --data <file>",
  "--csv-file-path": "write --data <file>",
  "--json-file-path": "write --data <file>",
  "-n": "write --repeat <number>",
  "--iteration-count": "write --repeat <number>",
  "-r": reporter,
  "--reporters": reporter,
  "--report-junit": "write --reporter junit=<file>",
  "--report-html": "write --reporter html=<file>",
  "--report-json": "write --reporter json=<file>",
  "--env-var": "write --var <api>.<name>=<value>",
  "--global-var": "write --var <api>.<name>=<value>",
  "--variable": "write --input <name>=<value>, or --var <api>.<name>=<value> for a variable",
  "-k": insecure,
  "--insecure": insecure,
  "--cert": clientCertificate,
  "-E": clientCertificate,
  "--ssl-client-cert": clientCertificate,
  "--client-cert-config": clientCertificate,
  "--cacert": authority,
  "--ssl-extra-ca-certs": authority,
  "-x": "set HTTPS_PROXY or HTTP_PROXY",
  "--proxy": "set HTTPS_PROXY or HTTP_PROXY",
  "--folder": "write --grep <text> to choose workflows by name",
  "--timeout-request": "write --timeout <ms>",
  "--retry": "write --retries <number>",
  "--parallel": "write --jobs <number>",
  "--dry-run": "callsheet validate checks the files without sending requests",
}

const commands: Readonly<Record<string, string>> = {
  test: "callsheet run",
  lint: "callsheet validate",
  check: "callsheet validate",
  new: "callsheet init",
  create: "callsheet init",
  open: "callsheet app",
  ui: "callsheet app",
  serve: "callsheet app",
  convert: "callsheet import",
  migrate: "callsheet import",
  "list env": "callsheet env list",
  "list envs": "callsheet env list",
  "list environments": "callsheet env list",
  "env set": "callsheet env write",
  "env add": "callsheet env write",
  "env create": "callsheet env write",
  "env get": "callsheet env read",
  "env show": "callsheet env read",
  "env remove": "callsheet env delete",
  "env rm": "callsheet env delete",
  "env ls": "callsheet env list",
  "env mv": "callsheet env rename",
}

/** Returns the hint for an unknown option (`--insecure`) or command (`env set`) of another tool. */
export function otherToolHint(word: string, about: string): string | undefined {
  if (word.startsWith("-")) return about === "run" ? ownOf(runOptions, word.replace(/=.*$/s, "")) : undefined
  const command = ownOf(commands, about === "" ? word : `${about} ${word}`)
  return command === undefined ? undefined : `write ${command}`
}

/** Returns the hint for a word that isn't a command, and so is probably the name of a workflow. */
export const workflowHint = (word: string, about: string): string | undefined =>
  about === "" && /^[\w.][\w./-]*$/.test(word)
    ? `to run a workflow: callsheet run ${word}; for all commands: callsheet --help`
    : undefined
