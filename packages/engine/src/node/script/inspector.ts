// Settings for debugging script processes: which process may listen, and on which port.

export interface InspectOptions {
  /** The port on 127.0.0.1. 0 selects a free one. */
  readonly port: number
  /** Called when a process waits for a debugger at this address, also for each process that replaces it. */
  readonly onWaiting: (address: string) => void
}

/** The only address to listen on: whoever reaches the port has all the rights of the user. */
export const inspectorHost = "127.0.0.1"

/** Matches options in `NODE_OPTIONS` that make a process listen for debuggers or choose its port. */
const listening =
  /(?<=^|\s)--(?:(?:inspect|debug)[-_]port(?:=\S*|\s+\S+)|(?:inspect|debug)(?:[-_](?:brk|wait))?(?:[-_]node)?(?:=\S*)?)(?=\s|$)/g

/** Removes options that make every Node process listen. Undefined if there are none. */
export function scriptEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  const options = environment["NODE_OPTIONS"]
  const kept = options?.replace(listening, "").trim()
  if (kept === undefined || kept === options) return undefined
  const { NODE_OPTIONS: _, ...rest } = environment
  return kept === "" ? rest : { ...rest, NODE_OPTIONS: kept }
}

const debuggerLines =
  /^(?:Debugger (?:listening on|attached|ending on)|For help, see: https:|Waiting for the debugger to disconnect|Starting inspector on ).*\n?/gm

/** Removes Node's messages about its debugger, which aren't output of the script. */
export function withoutInspectorLines(chunk: Buffer): Buffer {
  const text = chunk.toString("latin1")
  const left = text.replace(debuggerLines, "")
  return left === text ? chunk : Buffer.from(left, "latin1")
}
