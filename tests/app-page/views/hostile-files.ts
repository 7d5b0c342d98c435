// Files of a project with a text added wherever one is allowed: descriptions, values, parameters, bodies, paths,
// scripts.

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
type Members = Readonly<Record<string, Json>>

/** Returns a file's content with the text in it. A file that is neither JSON nor a script is unchanged. */
export function withText(path: string, content: string, text: string): string {
  if (path.endsWith(".ts")) return `// ${text}\n${content}`
  const parsed = parsedOf(path, content)
  if (!isMembers(parsed)) return content
  return `${JSON.stringify(spoiled(path, described(parsed, text), text), null, 2)}\n`
}

function parsedOf(path: string, content: string): Json | undefined {
  if (!path.endsWith(".json")) return undefined
  try {
    return JSON.parse(content) as Json
  } catch {
    // A file that is broken on purpose.
    return undefined
  }
}

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Adds the text to descriptions too. */
const forPeople = new Set(["description", "summary", "title"])

function described(value: Members, text: string): Members {
  const inner = (key: string, member: Json): Json => {
    // In a transform block, names are the user's own, and each text is a path.
    if (key === "transforms") return member
    if (typeof member === "string") return forPeople.has(key) ? `${member} ${text}` : member
    if (Array.isArray(member)) return (member as readonly Json[]).map((each) => inner("", each))
    return isMembers(member) ? described(member, text) : member
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(key, member)]))
}

function spoiled(path: string, content: Members, text: string): Members {
  if (path.endsWith("/schema.json")) {
    const odd = { type: "string", required: false, description: text, default: text }
    return {
      ...content,
      variables: { ...membersOf(content["variables"]), odd, empty: { ...odd, default: "" } },
    }
  }
  if (path.includes("/environments/")) return { ...content, odd: text }
  if (path.includes("/requests/"))
    return { ...content, params: withQuery(membersOf(content["params"]), text) }
  if (!path.includes("/workflow/")) return content
  const blocks = content["blocks"]
  // The run of the other workflow ends well, so that its views show every block.
  const fails = path.endsWith("/kinds.json")
  return Array.isArray(blocks)
    ? { ...content, blocks: (blocks as readonly Json[]).map((each) => ofBlock(each, text, fails)) }
    : content
}

const membersOf = (value: Json | undefined): Members => (isMembers(value) ? value : {})

const withQuery = (params: Members, text: string): Members => ({
  ...params,
  // No server accepts a target of unlimited length.
  query: { ...membersOf(params["query"]), [text.slice(0, 1000)]: text.slice(0, 1000) },
})

function ofBlock(block: Json, text: string, fails: boolean): Json {
  if (!isMembers(block)) return block
  const inside = Object.fromEntries(
    ["blocks", "then", "else"].flatMap((key) => {
      const list = block[key]
      return Array.isArray(list)
        ? [[key, (list as readonly Json[]).map((each) => ofBlock(each, text, fails))]]
        : []
    }),
  )
  // A description in the file already contains the text.
  const described = { description: text, ...block, ...inside }
  if (fails && block["type"] === "request") {
    const request = membersOf(block["request"])
    const overrides = membersOf(request["overrides"])
    const params = withQuery(membersOf(overrides["params"]), text)
    return { ...described, request: { ...request, overrides: { ...overrides, params } } }
  }
  // It isn't a script, whatever the text is.
  const odd = { source: `nothing[${JSON.stringify(text.slice(0, 60))}]`, operator: "notEquals", value: text }
  const { assertions } = block
  if (fails && Array.isArray(assertions))
    return { ...described, assertions: [...(assertions as readonly Json[]), odd] }
  return described
}
