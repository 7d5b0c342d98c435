// What the inbox answers to requests that it refuses.

const inMib = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

export const refusals = {
  target: () => "the target of the request must be a path",
  unknownPath: () => "no run of callsheet has this path",
  tooLarge: (maxBytes: number) => `a message can have at most ${inMib(maxBytes)}`,
  full: (maxBytes: number) =>
    `the inbox of this run is full: it keeps at most ${inMib(maxBytes)} until the workflow sends DELETE /_messages`,
  undecodable: () => "the body can't be decoded",
  after: () => '"after" must be the id of a message',
  notJson: () => "the body must be JSON",
  invalid: () => "the response can't be set",
  pathStart: () => 'must start with "/"',
}
