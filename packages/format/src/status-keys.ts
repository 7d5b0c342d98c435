// Under which keys a document may list a status.

/** The exact status, then its range (`4XX`), then `default`: the first one that is there counts (OpenAPI 3.1.1 section 4.8.16). */
export const statusKeys = (status: number): readonly [exact: string, range: string, rest: "default"] => [
  String(status),
  `${Math.floor(status / 100)}XX`,
  "default",
]
