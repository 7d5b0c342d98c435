// Tests that people paste from Postman's snippets and docs, each with a response that passes in Postman and one that fails.

export interface Snippet {
  readonly code: string
  /** Passes in Postman. */
  readonly good: Answer
  /** Fails in Postman. */
  readonly bad: Answer
  /** Assertions as `source operator value`, or a line of the generated code. */
  readonly becomes: readonly string[] | string
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const inTest = (statement: string): string => `pm.test("check", function () {\n  ${statement}\n})`
const withData = (statements: string): string =>
  `const jsonData = pm.response.json();\npm.test("check", () => {\n  ${statements}\n});`

const user = { id: 7, name: "Ada", tags: ["a", "b"], address: { city: "London" }, active: true, note: null }

export const snippets: readonly Snippet[] = [
  // Statuses
  {
    code: inTest("pm.response.to.have.status(200);"),
    good: {},
    bad: { status: 201 },
    becomes: ["status equals 200"],
  },
  {
    code: inTest('pm.response.to.have.status("Created");'),
    good: { status: 201 },
    bad: {},
    becomes: ["status equals 201"],
  },
  { code: inTest("pm.response.to.be.ok;"), good: {}, bad: { status: 201 }, becomes: ["status equals 200"] },
  {
    code: inTest("pm.response.to.be.success;"),
    good: { status: 202 },
    bad: { status: 404 },
    becomes: ["status greaterThan 199", "status lessThan 300"],
  },
  {
    code: inTest("pm.response.to.be.notFound;"),
    good: { status: 404 },
    bad: { status: 400 },
    becomes: ["status equals 404"],
  },
  {
    code: inTest("pm.response.to.not.be.error;"),
    good: { status: 302 },
    bad: { status: 500 },
    becomes: ["status lessThan 400"],
  },
  {
    code: inTest("pm.expect(pm.response.code).to.be.oneOf([201, 202]);"),
    good: { status: 202 },
    bad: { status: 200 },
    becomes: 'ctx.expect("good.response.status").toBeOneOf([201, 202])',
  },
  {
    code: inTest("pm.expect(pm.response.code).to.not.be.oneOf([400, 500]);"),
    good: {},
    bad: { status: 400 },
    becomes: 'ctx.expect(read(ctx, "good.response.status") ?? null).not.toBeOneOf([400, 500])',
  },
  {
    code: inTest("pm.expect(pm.response.code).to.be.within(200, 299);"),
    good: { status: 204 },
    bad: { status: 300 },
    becomes: 'ctx.expect("good.response.status").toBeBetween(200, 299)',
  },
  {
    code: 'tests["check"] = responseCode.code === 200 || responseCode.code === 201;',
    good: { status: 201 },
    bad: { status: 202 },
    becomes: "toEqual(true)",
  },

  // Time and headers
  {
    code: inTest(
      "pm.expect(pm.response.responseTime).to.be.below(60000);\n  pm.response.to.have.status(200)",
    ),
    good: {},
    bad: { status: 500 },
    becomes: ["durationMs lessThan 60000", "status equals 200"],
  },
  {
    code: inTest("pm.response.to.have.responseTime.below(60000);\n  pm.response.to.be.ok"),
    good: {},
    bad: { status: 500 },
    becomes: ["durationMs lessThan 60000", "status equals 200"],
  },
  {
    code: inTest('pm.response.to.have.header("X-Total");'),
    good: { headers: { "x-total": "3" } },
    bad: {},
    becomes: ["headers.x-total exists"],
  },
  {
    code: inTest('pm.response.to.have.header("X-Total", "3");'),
    good: { headers: { "x-total": "3" } },
    bad: { headers: { "x-total": "4" } },
    becomes: ['headers.x-total equals "3"'],
  },
  {
    code: inTest('pm.expect(pm.response.headers.get("X-Total")).to.match(/^\\d+$/);'),
    good: { headers: { "x-total": "3" } },
    bad: { headers: { "x-total": "x" } },
    becomes: 'ctx.expect("good.response.headers.x-total").toMatch(/^\\d+$/)',
  },
  {
    code: inTest('pm.expect(pm.response.headers.has("X-Total")).to.be.true;'),
    good: { headers: { "x-total": "3" } },
    bad: {},
    becomes: 'ctx.expect(ctx.has("good.response.headers.x-total")).toEqual(true)',
  },
  {
    code: inTest('pm.expect(postman.getResponseHeader("X-Total")).to.include("3");'),
    good: { headers: { "x-total": "13" } },
    bad: { headers: { "x-total": "4" } },
    becomes: ['headers.x-total contains "3"'],
  },

  // The body as text
  {
    code: inTest("pm.response.to.be.json;"),
    good: { body: {} },
    bad: { body: "<html>" },
    becomes: 'not.toBeType("string")',
  },
  {
    code: inTest('pm.expect(pm.response.text()).to.include("search me");'),
    good: { body: { text: "please search me" } },
    bad: { body: { text: "no" } },
    becomes: '.toContain("search me")',
  },
  {
    code: inTest('pm.response.to.have.body("hello");'),
    good: { body: "hello" },
    bad: { body: "hello you" },
    becomes: 'toEqual("hello")',
  },
  {
    code: inTest("pm.response.to.have.jsonBody('address.city', 'London');"),
    good: { body: user },
    bad: { body: { address: {} } },
    becomes: ['body.address.city equals "London"'],
  },
  {
    code: inTest("pm.response.to.be.withBody;"),
    good: { body: "x" },
    bad: { body: "" },
    becomes: "not.toHaveLength(0)",
  },
  {
    code: 'tests["check"] = responseBody.has("needle");',
    good: { body: "a needle" },
    bad: { body: "hay" },
    becomes: '.includes("needle")',
  },

  // Values
  {
    code: withData("pm.expect(jsonData.id).to.eql(7);"),
    good: { body: user },
    bad: { body: { id: "7" } },
    becomes: ["body.id equals 7"],
  },
  {
    code: withData("pm.expect(jsonData.note).to.be.null;"),
    good: { body: user },
    bad: { body: {} },
    becomes: ["body.note equals null"],
  },
  {
    code: withData("pm.expect(jsonData.error).to.be.undefined;"),
    good: { body: user },
    bad: { body: { error: "x" } },
    becomes: ["body.error notExists"],
  },
  {
    code: withData("pm.expect(jsonData.missing).to.not.eql('x'); pm.expect(jsonData.tags).to.be.an('array')"),
    good: { body: user },
    bad: { body: { missing: "x", tags: [] } },
    becomes: 'ctx.expect(jsonData.missing ?? null).not.toEqual("x")',
  },
  {
    code: withData("pm.expect(jsonData).to.be.an('object');"),
    good: { body: user },
    bad: { body: [user] },
    becomes: 'ctx.expect(jsonData).toBeType("object")',
  },
  {
    code: withData("pm.expect(jsonData.tags).to.be.an('array');"),
    good: { body: user },
    bad: { body: { tags: {} } },
    becomes: 'ctx.expect(jsonData.tags).toBeType("array")',
  },
  {
    code: withData("pm.expect(jsonData.name).to.be.a('string').and.not.be.empty;"),
    good: { body: user },
    bad: { body: { name: "" } },
    becomes: "ctx.expect(sizeOf(jsonData.name)).not.toEqual(0)",
  },
  {
    code: withData("pm.expect(jsonData.tags).to.have.lengthOf(2);"),
    good: { body: user },
    bad: { body: { tags: [] } },
    becomes: "ctx.expect(jsonData.tags).toHaveLength(2)",
  },
  {
    code: withData("pm.expect(jsonData.tags.length).to.be.above(1);"),
    good: { body: user },
    bad: { body: { tags: ["a"] } },
    becomes: "ctx.expect(jsonData.tags.length).not.toBeAtMost(1)",
  },
  {
    code: withData("pm.expect(jsonData.tags).to.have.lengthOf.at.least(2);"),
    good: { body: user },
    bad: { body: { tags: ["a"] } },
    becomes: "ctx.expect(jsonData.tags.length).toBeAtLeast(2)",
  },
  {
    code: withData("pm.expect(jsonData.tags).to.include('b');"),
    good: { body: user },
    bad: { body: { tags: ["a"] } },
    becomes: ['body.tags contains "b"'],
  },
  {
    code: withData("pm.expect(jsonData.tags).to.not.include('z');"),
    good: { body: user },
    bad: { body: { tags: ["z"] } },
    becomes: 'ctx.expect(jsonData.tags).not.toContain("z")',
  },
  {
    code: withData("pm.expect(jsonData.tags).to.have.members(['b', 'a']);"),
    good: { body: user },
    bad: { body: { tags: ["a", "b", "c"] } },
    becomes: 'ctx.expect(jsonData.tags).toContain("b")',
  },
  {
    code: withData("pm.expect(jsonData.tags).to.include.members(['b']);"),
    good: { body: user },
    bad: { body: { tags: ["c"] } },
    becomes: 'ctx.expect(jsonData.tags).toContain("b")',
  },
  {
    code: withData("pm.expect(jsonData).to.include({ id: 7, name: 'Ada' });"),
    good: { body: user },
    bad: { body: { id: 7, name: "Bo" } },
    becomes: 'ctx.expect(jsonData.name).toEqual("Ada")',
  },
  {
    code: withData("pm.expect(jsonData).to.have.property('id');"),
    good: { body: user },
    bad: { body: {} },
    becomes: ["body.id exists"],
  },
  {
    code: withData("pm.expect(jsonData).to.have.property('name').that.is.a('string');"),
    good: { body: user },
    bad: { body: { name: 7 } },
    becomes: 'ctx.expect("name" in jsonData).toEqual(true)',
  },
  {
    code: withData("pm.expect(jsonData).to.have.nested.property('address.city', 'London');"),
    good: { body: user },
    bad: { body: { address: { city: "Rome" } } },
    becomes: 'ctx.expect(jsonData.address.city).toEqual("London")',
  },
  {
    code: withData("pm.expect(jsonData.address).to.have.all.keys('city');"),
    good: { body: user },
    bad: { body: { address: { city: "Rome", zip: 1 } } },
    becomes: 'ctx.expect(Object.keys(jsonData.address).sort()).toEqual(["city"])',
  },
  {
    code: withData("pm.expect(jsonData).to.include.keys('id', 'name');"),
    good: { body: user },
    bad: { body: { id: 1 } },
    becomes: 'ctx.expect("id" in jsonData).toEqual(true)',
  },
  {
    code: withData("pm.expect(jsonData).to.have.any.keys('x', 'name');"),
    good: { body: user },
    bad: { body: { id: 1 } },
    becomes: '"x" in jsonData || "name" in jsonData',
  },
  {
    code: withData("pm.expect(jsonData.id).to.be.closeTo(7.2, 0.5);"),
    good: { body: user },
    bad: { body: { id: 8 } },
    becomes: "toBeBetween(6.7, 7.7)",
  },
  {
    code: withData("pm.expect(jsonData.tags).to.eql(['a', 'b']);"),
    good: { body: user },
    bad: { body: { tags: ["b", "a"] } },
    becomes: ['body.tags equals ["a","b"]'],
  },
  {
    code: withData("pm.expect(jsonData.active, 'is active').to.be.ok;"),
    good: { body: user },
    bad: { body: { active: 0 } },
    becomes: "ctx.expect(Boolean(jsonData.active)).toEqual(true)",
  },
  {
    code: withData("pm.expect(jsonData.id % 2 === 1).to.be.true;"),
    good: { body: user },
    bad: { body: { id: 8 } },
    becomes: "ctx.expect((jsonData.id % 2) === 1).toEqual(true)",
  },
  {
    code: withData(
      "pm.expect(jsonData.tags[0]).to.equal('a'); pm.expect(jsonData.tags[jsonData.tags.length - 1]).to.equal('b');",
    ),
    good: { body: user },
    bad: { body: { tags: ["a", "c"] } },
    becomes: 'ctx.expect(jsonData.tags[jsonData.tags.length - 1]).toEqual("b")',
  },
  {
    code: withData(
      "const { name, address: { city } } = jsonData; pm.expect(`${name} ${city}`).to.eql('Ada London');",
    ),
    good: { body: user },
    bad: { body: { name: "Bo", address: {} } },
    becomes: 'ctx.expect("" + name + " " + city).toEqual("Ada London")',
  },
  {
    code: withData("pm.expect(String(jsonData.id)).to.equal(pm.environment.get('userId'));"),
    good: { body: user },
    bad: { body: { id: 8 } },
    becomes: 'ctx.expect(String(jsonData.id)).toEqual(ctx.env("shop").userId?.toString())',
  },
  {
    code: withData("if (jsonData.id > 7) { pm.expect.fail('too large'); }"),
    good: { body: user },
    bad: { body: { id: 8 } },
    becomes: "ctx.assert(false)",
  },

  // Loops
  {
    code: withData(
      "jsonData.forEach((item) => { pm.expect(item).to.have.property('id'); pm.expect(item.id).to.be.a('number'); });",
    ),
    good: { body: [user] },
    bad: { body: [user, { id: "x" }] },
    becomes: "jsonData.forEach((item: any) => {",
  },
  {
    code: withData("for (const item of jsonData.items) { pm.expect(item.price).to.be.at.least(1); }"),
    good: { body: { items: [{ price: 1 }] } },
    bad: { body: { items: [{ price: 0 }] } },
    becomes: "for (const item of jsonData.items) {",
  },
  {
    code: withData(
      "for (var i = 0; i < jsonData.items.length; i++) { pm.expect(jsonData.items[i].price).to.be.above(0); }",
    ),
    good: { body: { items: [{ price: 1 }] } },
    bad: { body: { items: [{ price: 1 }, { price: 0 }] } },
    becomes: "for (let i = 0; i < jsonData.items.length; i++) {",
  },
  {
    code: withData(
      "const names = jsonData.items.map(function (item) { return item.name; }); pm.expect(names).to.include('Ada');",
    ),
    good: { body: { items: [user] } },
    bad: { body: { items: [] } },
    becomes: "jsonData.items.map((item: any) => item.name)",
  },
  {
    code: withData(
      "const total = jsonData.reduce((sum, item) => sum + item.price, 0); pm.expect(total).to.eql(3);",
    ),
    good: { body: [{ price: 1 }, { price: 2 }] },
    bad: { body: [] },
    becomes: "(sum: any, item: any) => sum + item.price",
  },
  {
    code: withData("pm.expect(jsonData.every(item => item.active)).to.be.true;"),
    good: { body: [user] },
    bad: { body: [{}] },
    becomes: "(item: any) => item.active",
  },
  {
    code: withData("Object.keys(jsonData).forEach(key => pm.expect(jsonData[key]).to.not.be.null);"),
    good: { body: { a: 1 } },
    bad: { body: user },
    becomes: "own(jsonData, key)",
  },
  {
    code: "pm.response.json().forEach(item => pm.test(`item ${item.id}`, () => pm.expect(item.ok).to.be.true));",
    good: { body: [{ id: 1, ok: true }] },
    bad: { body: [{ id: 1, ok: false }] },
    becomes: "ctx.expect(item.ok).toEqual(true)",
  },

  // JSON Schemas
  {
    code: `const schema = { type: "object", required: ["id"], properties: { id: { type: "integer", minimum: 1 }, name: { type: ["string", "null"] } } };\n${inTest("pm.response.to.have.jsonSchema(schema);")}`,
    good: { body: user },
    bad: { body: { id: 0 } },
    becomes: "ctx.expect(responseBody.id).toBeAtLeast(1)",
  },
  {
    code: `const schema = { type: "array", minItems: 1, items: { type: "object", properties: { tags: { type: "array", items: { enum: ["a", "b"] } } } } };\n${withData("pm.expect(jsonData).to.be.jsonSchema(schema);")}`,
    good: { body: [user] },
    bad: { body: [{ tags: ["c"] }] },
    becomes: 'toBeOneOf(["a", "b"])',
  },
  {
    code: `var schema = { items: { type: "boolean" } };\nvar data1 = pm.response.json();\n${inTest("pm.expect(tv4.validate(data1, schema)).to.be.true;")}`,
    good: { body: [true] },
    bad: { body: [true, 123] },
    becomes: 'toBeType("boolean")',
  },
  {
    code: `var Ajv = require("ajv"), ajv = new Ajv({ logger: console }), schema = { properties: { alpha: { type: "boolean" } } };\n${inTest("pm.expect(ajv.validate(schema, pm.response.json())).to.be.true;")}`,
    good: { body: { alpha: true } },
    bad: { body: { alpha: 123 } },
    becomes: "responseBody.alpha",
  },
]

/** Tests that callsheet can't make, with what it names in the file to translate. */
export const untranslated: readonly (readonly [code: string, what: string])[] = [
  [inTest("pm.expect(pm.cookies.has('session')).to.be.true;"), "pm.cookies.has"],
  [inTest("pm.expect(pm.response.responseSize).to.be.below(500);"), "pm.response.responseSize"],
  [inTest("var json = xml2Json(responseBody); pm.expect(json.a).to.eql(1);"), "xml2Json"],
  [inTest("pm.expect(pm.request.method).to.eql('GET');"), "pm.request.method"],
  [inTest("pm.expect(pm.response.text()).to.include('\"a\": 1');"), "the text of the body"],
  [inTest("pm.expect(pm.response.json().list).to.equal([1]);"), "equal of an object"],
  [inTest("pm.response.to.have.jsonSchema({ allOf: [{ type: 'object' }] });"), "allOf in a JSON Schema"],
  [inTest("pm.expect(_.get(pm.response.json(), 'a.b')).to.eql(1);"), "_.get"],
  [
    inTest("pm.expect(pm.response.json().constructor.constructor('return process')()).to.be.ok;"),
    "this call",
  ],
  [
    inTest("const f = Object.keys({ constructor: 1 })[0]; pm.expect([][f][f]('return 1')()).to.eql(1);"),
    "this call",
  ],
  [inTest("try { pm.expect(1).to.eql(2) } catch (e) {}"), "try"],
  ['pm.test("check", (done) => { setTimeout(done, 1) })', "this kind of test"],
  ["this is not JavaScript", "a script that isn't JavaScript"],
]
