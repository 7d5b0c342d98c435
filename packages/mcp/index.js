// Serves tools to an agent over standard input and output, as the Model Context Protocol defines. `callsheet mcp` brings
// the tools. CommonJS, because the command loads it by `require`: Yarn's Plug'n'Play has no modules there.

const { fromJsonSchema, McpServer } = require("@modelcontextprotocol/server")
const { serveStdio, StdioServerTransport } = require("@modelcontextprotocol/server/stdio")

module.exports = { serve }

/**
 * Serves until the client closes standard input or `signal` aborts. Then aborts the calls in progress and waits for
 * them.
 */
async function serve({ version, instructions, tools, signal, onError }) {
  const calls = new Set()
  const wire = new Wire()
  const createServer = () => {
    const server = new McpServer({ name: "callsheet", title: "callsheet", version }, { instructions })
    for (const tool of tools) register(server, tool, calls)
    return server
  }
  const handle = serveStdio(createServer, { transport: wire, onerror: onError })
  const close = () => void handle.close()
  signal.addEventListener("abort", close, { once: true })
  if (signal.aborted) close()
  await wire.closed
  signal.removeEventListener("abort", close)
  await Promise.allSettled(calls)
}

class Wire extends StdioServerTransport {
  #end
  /** Resolves when the connection is closed, by whichever side. */
  closed = new Promise((resolve) => (this.#end = resolve))

  async close() {
    await super.close()
    this.#end()
  }
}

/** Accepts all arguments. The tools check them, with messages that say what to do. */
const checkedLater = { getValidator: () => (data) => ({ valid: true, data }) }

function register(server, { name, title, description, input, output, annotations, call }, calls) {
  const about = {
    title,
    description,
    inputSchema: fromJsonSchema(input, checkedLater),
    outputSchema: fromJsonSchema(output),
    annotations,
  }
  server.registerTool(name, about, async (args, { mcpReq }) => {
    const answer = call(args, { signal: mcpReq.signal, progress: progressOf(mcpReq) })
    calls.add(answer)
    const { isError, text, content } = await answer.finally(() => calls.delete(answer))
    const result = { content: [{ type: "text", text }] }
    return isError ? { ...result, isError } : { ...result, structuredContent: content }
  })
}

/** Returns a function that reports progress, if the client asked for it. A lost notification does no harm. */
function progressOf({ _meta, notify }) {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return () => {}
  return (progress, message) =>
    void notify({
      method: "notifications/progress",
      params: { progressToken, progress, message },
    }).catch(() => {})
}
