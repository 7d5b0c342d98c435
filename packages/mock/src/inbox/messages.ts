// What the inbox answers to requests that it refuses.

export const refusals = {
  target: () => "the target of the request must be a path",
  unknownPath: () => "no run of callsheet has this path",
  tooLarge: (maxBytes: number) => `a message can have at most ${maxBytes / 1024 / 1024} MiB`,
  full: (maxBytes: number) =>
    `the inbox of this run is full: it keeps at most ${maxBytes / 1024 / 1024} MiB; delete messages with DELETE /_messages`,
  after: () => "after must be the id of a message",
  notJson: () => "the body must be JSON",
  pathStart: () => 'must start with "/"',
  statusRange: () => "must be a status from 200 to 599",
  invalid: () => "the response can't be set",
}
