// Mistakes that validate doesn't find, with the reason. If it finds one, the test fails until that line is removed.

/** The reasons by kind and id. */
export const missed: Readonly<Record<string, string>> = {
  "expanded ids collide: by a property that repeats":
    "which values repeat in a response is known only in a run",
  "value of another type: an object with a property misspelled":
    "values that are objects are compared only by their type",
  "exists of what is always or never there: notExists of a required property":
    "responses often omit required properties, so a test may check for them",
  "body of another kind: JSON where a form is documented": "media types are a run's",
  "body field not in its enum: a const": "not compared yet",
}
