// `--snapshots`: reads the snapshots of what a session runs, and stores its responses when it is over.

import type { LiveListener, Ports, SessionOptions } from "@callsheet/engine"
import {
  CallsheetError,
  checkSnapshotFile,
  formatBytes,
  responseOf,
  snapshotOf,
  updateSnapshot,
  writeSnapshot,
  type Project,
  type RunOptionValues,
} from "@callsheet/format"
import { MAX_SNAPSHOT_BYTES, writeFiles, type FileEdit, type Snapshots } from "@callsheet/project"
import {
  compareWithSnapshots,
  createContractFinder,
  readSessionSnapshots,
  ReceivedResponses,
  type FindContract,
  type KeptResponse,
} from "@callsheet/server"
import { messages, notices } from "../messages.ts"
import { isCi } from "../screen.ts"
import type { ReadSession } from "../session/read-workflows.ts"

type Mode = NonNullable<RunOptionValues["snapshots"]>

interface SnapshotRequest extends Pick<ReadSession, "workflows" | "schedule"> {
  readonly project: Project
  readonly options: SessionOptions
  /** True to store snapshots in CI, too. */
  readonly force: boolean
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

export interface StoredSnapshots {
  /** The paths of the files that were written. */
  readonly written: readonly string[]
  readonly unchanged: number
  /** The places that are noise from now on, by file. */
  readonly noise: readonly { readonly file: string; readonly places: readonly string[] }[]
  /** The files that would be too large. */
  readonly tooLarge: readonly string[]
}

export interface OpenSnapshots {
  readonly usePorts: (ports: Ports) => Ports
  readonly listen?: LiveListener
  /** The options that a session needs to store responses. */
  readonly options: Pick<SessionOptions, "exchanges" | "coverage">
  /** Stores the responses. Undefined if the session only compares them. */
  readonly store: (() => Promise<StoredSnapshots>) | undefined
}

/** Throws misuse, and the problems of snapshots that can't be read. */
export function openSnapshots(mode: Mode, request: SnapshotRequest): OpenSnapshots {
  refuseMisuse(mode, request)
  const { project } = request
  const snapshots = readSessionSnapshots(project, request)
  const ignore = project.settingsFile?.settings?.snapshots?.ignore ?? []
  if (mode === "check")
    return { ...compareOnly, usePorts: (ports) => compareWithSnapshots(ports, snapshots, ignore) }
  const responses = new ReceivedResponses()
  const findContract = createContractFinder(project.root)
  const place = { root: project.root, mode, ignore, files: snapshots.files, findContract }
  return {
    usePorts: (ports) => ports,
    listen: responses.hear,
    options: { exchanges: true, coverage: true },
    store: () => store(responses.all(), place),
  }
}

const compareOnly = { options: {}, store: undefined } as const

function refuseMisuse(mode: Mode, { options, force, processEnvironment }: SnapshotRequest): void {
  if (mode === "check") return
  if (options.guessesSecrets === false)
    throw new CallsheetError(messages.usage.contradiction(`--snapshots ${mode}`, "--no-guess-secrets"))
  if (!force && isCi(processEnvironment)) throw new CallsheetError(messages.usage.snapshotsInCi(mode))
}

interface StorePlace extends Pick<Snapshots, "files"> {
  readonly root: string
  readonly mode: Exclude<Mode, "check">
  readonly ignore: readonly string[]
  readonly findContract: FindContract
}

async function store(responses: Iterable<KeptResponse>, place: StorePlace): Promise<StoredSnapshots> {
  const edits: FileEdit[] = []
  const noise = new Map<string, readonly string[]>()
  const tooLarge = new Set<string>()
  for (const { file, response, operation } of responses) {
    const received = snapshotOf(response)
    // The contract of the earlier response says what may differ from it.
    const described = await place.findContract(
      operation,
      responseOf(place.files.get(file)?.snapshot ?? received),
    )
    const edit = (text: string | undefined): string | undefined => {
      if (text !== undefined && place.mode === "new") return undefined
      const stored = text === undefined ? undefined : readStored(file, text)
      const { snapshot, added } = updateSnapshot(stored, received, { described, ignore: place.ignore })
      if (snapshot === stored) return undefined
      const updated = writeSnapshot(snapshot)
      if (Buffer.byteLength(updated) > MAX_SNAPSHOT_BYTES) return void tooLarge.add(file)
      if (added.length > 0) noise.set(file, added)
      return updated
    }
    edits.push({ file, edit })
  }
  const { files } =
    edits.length === 0
      ? { files: [] }
      : await writeFiles({ root: place.root, title: "store snapshots", edits })
  return {
    written: files,
    unchanged: edits.length - files.length - tooLarge.size,
    noise: [...noise].map(([file, places]) => ({ file, places })),
    tooLarge: [...tooLarge],
  }
}

/** Reads the file again, because another program may have changed it during the run. Throws its problems. */
function readStored(file: string, text: string) {
  const { snapshot, problems } = checkSnapshotFile({ file, text: text.replace(/^\uFEFF/, "") })
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
  return snapshot
}

/** Returns the lines that say what was stored. */
export const storedLines = ({ written, unchanged, noise, tooLarge }: StoredSnapshots): readonly string[] => [
  notices.snapshots(written.length, unchanged),
  ...noise.slice(0, MAX_LINES).map(({ file, places }) => notices.snapshotNoise(file, places)),
  ...(noise.length > MAX_LINES ? [notices.moreSnapshotNoise(noise.length - MAX_LINES)] : []),
  ...tooLarge.map((file) => notices.snapshotTooLarge(file, formatBytes(MAX_SNAPSHOT_BYTES))),
]

const MAX_LINES = 20
