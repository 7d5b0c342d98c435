// What script processes and debuggers have to do with each other, from the runner's side: who may listen, and where.

export interface InspectOptions {
  /** On 127.0.0.1, always; 0 takes one that is free. */
  readonly port: number
  /** A process waits for a debugger at this address. Called again for each process that takes the place of one. */
  readonly onWaiting: (address: string) => void
}

/** No other address: who reaches the port can do whatever the user can. */
export const inspectorHost = "127.0.0.1"

/** Of `NODE_OPTIONS`: what makes a process listen for debuggers, or chooses where it does when it is asked to. */
const listening =
  /(?<=^|\s)--(?:(?:inspect|debug)[-_]port(?:=\S*|\s+\S+)|(?:inspect|debug)(?:[-_](?:brk|wait))?(?:[-_]node)?(?:=\S*)?)(?=\s|$)/g

/**
 * The environment of a script process: the runner's own, without what would let everything that Node starts listen for
 * debuggers, in whatever place. Undefined where it is the runner's as it is.
 */
export function scriptEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  const options = environment["NODE_OPTIONS"]
  const kept = options?.replace(listening, "").trim()
  if (kept === undefined || kept === options) return undefined
  const { NODE_OPTIONS: _, ...rest } = environment
  return kept === "" ? rest : { ...rest, NODE_OPTIONS: kept }
}

const said =
  /^(?:Debugger (?:listening on|attached|ending on)|For help, see: https:|Waiting for the debugger to disconnect|Starting inspector on ).*\n?/gm

/** What Node says of its debugger on standard error is none of the script's words. */
export function withoutInspectorLines(chunk: Buffer): Buffer {
  const text = chunk.toString("latin1")
  const left = text.replace(said, "")
  return left === text ? chunk : Buffer.from(left, "latin1")
}
