// The positions of a secret in a request, and the targets of a redirect: the two sides of the table.

/** Each position has its own secret, so that a leak names its position. */
export const places = ["scheme", "header", "query", "cookie", "jar", "body"] as const
export type Place = (typeof places)[number]

export const destinations = ["same origin", "other port", "other host", "other scheme"] as const
export type Destination = (typeof destinations)[number]

/** Secrets with as many special characters as each position allows. */
export const secrets: Readonly<Record<Place, string>> = {
  scheme: "t0k3n.of~a+scheme/f==",
  header: `h3ader "quoted" <&> %41\\z`,
  query: "qu3ry &=+%41 ä€/?#[]",
  cookie: "c00kie!#$%&'()*+-./:<>?@[]^_`{|}~",
  jar: "j4r-of-the-server=%20==",
  body: `b0dy "x"\n\\ ä€ of two lines`,
}

/** The text in the report for a dropped part. A request with a secret in its body fails instead. */
export const dropped: Readonly<Record<Exclude<Place, "body">, string>> = {
  scheme: "header authorization",
  header: "header x-key",
  query: "query",
  cookie: "cookie own",
  jar: "cookie jar",
}

/** The route of a redirect: `direct` in one hop, `back` from there to the first origin, `deep` after a hop at home. */
export const routes = ["direct", "back", "deep", "named"] as const
type Route = (typeof routes)[number]

export const statuses = [301, 302, 303, 307, 308] as const
type Status = (typeof statuses)[number]

export interface Case {
  readonly id: string
  readonly place: Place
  readonly destination: Destination
  readonly route: Route
  readonly status: Status
  readonly method: "GET" | "POST"
}

export interface Size {
  readonly statuses: readonly Status[]
  readonly routes: readonly Route[]
  readonly methods: readonly Case["method"][]
}

/** Every combination of `places` and `destinations`, in each of the given ways. */
export function casesOf({ statuses, routes, methods }: Size): readonly Case[] {
  const cases: Case[] = []
  for (const place of places)
    for (const destination of destinations)
      for (const route of routes)
        for (const status of statuses)
          for (const method of methods)
            cases.push({ id: `c${cases.length}`, place, destination, route, status, method })
  return cases
}

/** The next request of a chain has the body of the previous one (RFC 9110 section 15.4). */
export const keepsBody = ({ status, method }: Case): boolean =>
  status === 307 || status === 308 || (status !== 303 && method !== "POST")
