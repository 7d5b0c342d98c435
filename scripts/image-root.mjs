// Builds the files of the image without Docker: `node scripts/image-root.mjs DIRECTORY` carries out the Dockerfile, as
// root on Debian. The files are in DIRECTORY/root, and DIRECTORY/config.json says how the image starts.

import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { fetchNode } from "./executable/fetch-package.mjs"
import { root as repository } from "./repository.mjs"

const run = promisify(execFile)
const cache = join(repository, "node_modules/.cache/callsheet/image")

const [, , destination] = process.argv
if (destination === undefined) throw new Error("expected a directory: node scripts/image-root.mjs DIRECTORY")
const stages = new Map()
const globals = {}
let stage
for (const [word, text] of readInstructions(await readFile(join(repository, "Dockerfile"), "utf8"))) {
  const perform = instructions()[word]
  if (perform === undefined) throw new Error(`this script doesn't know the instruction ${word}`)
  await perform(text.replaceAll(/\$\{(\w+)\}/g, (_, name) => globals[name]))
}
await writeFile(join(destination, "config.json"), JSON.stringify(stage.config, undefined, 2))
for (const { root } of stages.values())
  if (root !== stage.root) await rm(root, { recursive: true, force: true })

/** Returns the instructions of a Dockerfile, each as its word and the rest. */
function readInstructions(text) {
  return text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => [line.split(" ", 1)[0], line.slice(line.indexOf(" ") + 1).trim()])
}

/** What this script can carry out, as Docker does. */
function instructions() {
  return {
    ARG: (text) => {
      const [name, value] = text.split("=")
      globals[name] = value
    },
    FROM: async (text) => {
      const [image, , name = "last"] = text.replace(/^--platform=\S+ /, "").split(" ")
      const root = join(destination, name === "last" ? "root" : name)
      await rm(root, { recursive: true, force: true })
      await copyTree(await baseOf(image), root)
      stage = { root, config: { env: {}, user: "0:0", workdir: "/", entrypoint: [] } }
      stages.set(name, stage)
      if (image.startsWith("node:")) await addNode(root)
    },
    COPY: async (text) => {
      const words = text.split(" ")
      const from = /^--from=(.*)$/.exec(words[0])?.[1]
      const [source, target] = from === undefined ? words : words.slice(1)
      const origin = from === undefined ? repository : stages.get(from).root
      await copyTree(join(origin, source), join(stage.root, target))
    },
    RUN: async (text) => {
      const env = { ...(await networkOf(stage.root)), PATH: "/usr/local/bin:/usr/bin:/bin" }
      await run("/usr/sbin/chroot", [stage.root, "sh", "-c", `cd ${stage.config.workdir} && ${text}`], {
        env,
      })
    },
    ENV: (text) => {
      const at = text.indexOf("=")
      stage.config.env[text.slice(0, at)] = text.slice(at + 1)
    },
    USER: (text) => void (stage.config.user = text),
    WORKDIR: async (text) => {
      stage.config.workdir = text
      await mkdir(join(stage.root, text), { recursive: true })
    },
    ENTRYPOINT: (text) => void (stage.config.entrypoint = JSON.parse(text)),
  }
}

/** Keeps owners, modes and links. */
async function copyTree(from, to) {
  const isFolder = from.endsWith("/") || basename(from).startsWith("base-")
  await mkdir(isFolder ? to : join(to, ".."), { recursive: true })
  await run("cp", ["-a", "--reflink=auto", isFolder ? `${from}/.` : from, to])
}

/** Returns Debian's minimal system, from which the official images are made. */
async function baseOf(image) {
  const debian = /(bookworm)-slim$/.exec(image)?.[1]
  const folder = join(cache, `base-${debian}`)
  if (existsSync(folder)) return folder
  const copy = `${folder}.${process.pid}`
  await mkdir(cache, { recursive: true })
  await run("debootstrap", ["--variant=minbase", debian, copy])
  await rename(copy, folder)
  return folder
}

/** Adds Node and npm, where the official image has them. */
async function addNode(root) {
  const local = join(root, "usr/local")
  await cp(await fetchNode("linux-x64"), join(local, "bin/node"))
  const { stdout } = await run("npm", ["root", "--global"])
  await run("cp", ["-a", join(stdout.trim(), "npm"), join(local, "lib/npm")])
  await run("ln", ["-s", "../lib/npm/bin/npm-cli.js", join(local, "bin/npm")])
}

/** Gives a stage the network of this machine, as Docker does, and returns its variables. */
async function networkOf(root) {
  await cp("/etc/resolv.conf", join(root, "etc/resolv.conf"))
  const { stdout } = await run("npm", ["config", "get", "registry"])
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const file = "etc/authorities.pem"
  if (authorities !== undefined) await cp(authorities, join(root, file), { dereference: true })
  return {
    HOME: "/root",
    npm_config_registry: stdout.trim(),
    ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: `/${file}`, npm_config_cafile: `/${file}` }),
  }
}
