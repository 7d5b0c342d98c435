// Reads the documents of APIs again when their files change, also the files that they refer to.

import { attempt, type Api, type ReadFile } from "@callsheet/format"
import { readProject } from "../read/read-project.ts"
import { readStamp, watchProject, type WatchOptions } from "./watch-project.ts"

/** Receives an API whose document has changed, or undefined if the API is gone. */
export type OnDocument = (api: Api | undefined) => Promise<void>

export type FollowedDocuments = ReturnType<typeof followDocuments>

/** Passes rejections of listeners to `onBug`. */
export function followDocuments(root: string, onBug: (error: unknown) => void, options?: WatchOptions) {
  const followed = new Map<string, Followed>()
  const watch = watchProject(root, () => void checkAll(), options)
  const checkAll = async (): Promise<void> => {
    await Promise.all([...followed.values()].map((one) => one.check())).catch(onBug)
  }
  const watchOutside = (): void =>
    watch.watchMore([...followed.values()].flatMap(({ outside }) => [...outside]))
  return {
    /** Returns an API that was just read, with a note of the files that its document refers to. */
    follow: (api: Api, onDocument: OnDocument): Api => {
      const read = () => readProject(root, { workflows: [], apis: [api.name] }).apis.get(api.name)
      const one = new Followed({ read, onDocument, stampOf: (file) => readStamp(root, file), watchOutside })
      followed.set(api.name, one)
      return one.note(api)
    },
    forget: (name: string): void => void followed.delete(name),
    close: (): void => {
      followed.clear()
      watch.close()
    },
  }
}

interface Following {
  readonly read: () => Api | undefined
  readonly onDocument: OnDocument
  readonly stampOf: (file: string) => string
  readonly watchOutside: () => void
}

class Followed {
  /** The other files of the document that `watchProject` doesn't report by itself. */
  readonly outside = new Set<string>()
  readonly #following: Following
  #text: string | undefined
  /** The states of the other files of the document before they were read. */
  #stamps = new Map<string, string>()
  #checking: Promise<void> = Promise.resolve()

  constructor(following: Following) {
    this.#following = following
  }

  /** Keeps the state of an API. The files that are read through the returned one belong to it. */
  note(api: Api): Api {
    this.#text = api.document?.text
    const stamps = new Map<string, string>()
    this.#stamps = stamps
    return this.#noting(api, stamps)
  }

  /** Checks one change after the other. */
  check(): Promise<void> {
    this.#checking = this.#checking.catch(() => undefined).then(() => this.#checkNow())
    return this.#checking
  }

  async #checkNow(): Promise<void> {
    const { read, stampOf, onDocument } = this.#following
    const api = attempt(read)
    const text = api?.document?.text
    const isSame = [...this.#stamps].every(([file, stamp]) => stampOf(file) === stamp)
    if (text === this.#text && isSame) return
    if (api === undefined) this.#text = undefined
    await onDocument(api && this.note(api))
  }

  #noting(api: Api, stamps: Map<string, string>): Api {
    const { readFile } = api
    if (readFile === undefined) return api
    const noteAndRead: ReadFile = (file) => {
      if (!stamps.has(file)) {
        stamps.set(file, this.#following.stampOf(file))
        const isOutside = !file.startsWith("apis/") && !this.outside.has(file)
        if (isOutside) this.outside.add(file)
        if (isOutside) this.#following.watchOutside()
      }
      return readFile(file)
    }
    return { ...api, readFile: noteAndRead }
  }
}
