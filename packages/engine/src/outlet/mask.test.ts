import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { createMasker, MASK } from "./mask.ts"

const secret = `p/w+ü "1"\\n&x`
const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding)

describe("a secret of 4 or more characters", () => {
  const mask = createMasker([secret])

  it.each<[string, string]>([
    ["as plain text", secret],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded in lowercase", encodeURIComponent(secret).toLowerCase()],
    ["partly percent-encoded", encodeURI(secret)],
    ["in a form", new URLSearchParams({ "": secret }).toString().slice(1)],
    ["inside JSON", JSON.stringify(secret).slice(1, -1)],
    [
      "inside JSON in ASCII",
      JSON.stringify(secret)
        .slice(1, -1)
        .replace("ü", String.raw`\u00FC`),
    ],
    [
      "inside JSON with an escaped slash",
      JSON.stringify(secret)
        .slice(1, -1)
        .replace("/", String.raw`\/`),
    ],
    ["inside HTML", secret.replace("&", "&amp;").replaceAll('"', "&quot;").replace("ü", "&#xFC;")],
  ])("is masked %s, and nothing else is", (_, form) => {
    expect(mask.text(`a ${form} b`)).toBe(`a ${MASK} b`)
    expect(mask.value({ deep: [{ text: `<${form}>` }] })).toEqual({ deep: [{ text: `<${MASK}>` }] })
    expect(mask.occursIn(form)).toBe(true)
  })

  it.each([0, 1, 2])("is masked completely in base64 with %i bytes before it", (before) => {
    for (const after of ["", "y", "yz"]) {
      const text = bytes(`${"x".repeat(before)}${secret}${after}`)
      for (const encoding of ["base64", "base64url"] as const) {
        const masked = mask.text(`Basic ${text.toString(encoding)}`)
        expect(masked).toContain(MASK)
        // The number of remaining characters may vary.
        expect(masked.length).toBeLessThan(`Basic ${MASK}`.length + 6)
      }
    }
  })

  it("is masked if UTF-16 was read byte by byte", () => {
    const ascii = createMasker(["s3cr3t"])
    expect(ascii.text(bytes("s3cr3t", "utf16le").toString("latin1"))).not.toContain("3\u0000t")
    expect(ascii.text(bytes("s3cr3t", "utf16le").toString("base64"))).toMatch(/^\*{3}A?$/)
  })
})

describe("a secret in rare encodings", () => {
  const mask = createMasker(["pä/ss+w0rd"])

  it.each<[string, string]>([
    ["with its letters percent-encoded", "%70%C3%A4%2f%73s+w%30rd".replace("+", "%2B")],
    ["escaped twice by URLs", encodeURIComponent(encodeURIComponent("pä/ss+w0rd"))],
    ["escaped twice by HTML", "p&amp;#228;/ss+w0rd"],
    ["in UTF-8 that a header decodes as Latin-1", bytes("pä/ss+w0rd").toString("latin1")],
    ["broken into lines", "pä/s\r\n  s+w0rd"],
  ])("is masked %s", (_, form) => {
    expect(mask.text(`a ${form} b`)).toBe(`a ${MASK} b`)
  })

  it.each([0, 1, 2])("is masked in base64 of UTF-16 and in lines, with %i bytes before it", (before) => {
    const low = bytes("pä/ss+w0rd", "utf16le")
    for (const inner of [low, Buffer.from(low).swap16(), bytes("pä/ss+w0rd")]) {
      const digits = Buffer.concat([Buffer.alloc(before, "x"), inner, bytes("yz")]).toString("base64")
      const lines = digits.replaceAll(/.{5}/g, "$&\r\n ")
      for (const text of [digits, lines])
        expect(mask.text(text)).toMatch(/^.{0,2}\*{3}[A-Za-z0-9=\r\n ]{0,12}$/)
    }
  })

  it.each([0, 1, 2])("is masked in base64 of its percent-encoded form, with %i bytes before it", (before) => {
    const spaced = "pä/ss w(0)rd"
    const of = createMasker([spaced, "(/"])
    const form = new URLSearchParams({ a: spaced }).toString().slice(2)
    for (const encoded of [encodeURIComponent(spaced), form]) {
      const text = bytes(`${"x".repeat(before)}${encoded}:`).toString("base64")
      expect(of.text(`Basic ${text}`)).toMatch(/^Basic .{0,4}\*{3}.{0,6}$/)
    }
    expect(of.text(bytes(encodeURIComponent("(/")).toString("base64"))).toBe(MASK)
  })

  it("is masked line by line if it has several lines", () => {
    const key = createMasker(["-----BEGIN KEY-----\nMIICdgIBADANBgkq\n}\n-----END KEY-----\n"])
    expect(key.text("MIICdgIBADANBgkq")).toBe(MASK)
    expect(key.text("{ a: 1 }")).toBe("{ a: 1 }")
  })

  it("is masked if it is the password of a URL, which a request sends elsewhere", () => {
    const url = createMasker(["https://ada:l%40velace@shop.example/v1"])
    expect(url.text("Basic " + btoa("ada:l@velace"))).toBe("Basic ***")
    expect(url.text("no l@velace here")).toBe("no *** here")
    expect(createMasker(["https://k3y.Example"]).text("no host k3y.example")).toBe("no host ***")
  })

  it("is masked if it is a URL and a request shows its parts", () => {
    const url = createMasker(["HTTPS://Shop.example:443/tenant-77/?v=1&sig=a%2Fbcdefgh"])
    expect(url.url("https://shop.example/tenant-77/orders?v=1&sig=a%2Fbcdefgh&page=2")).toBe(
      "***/orders?***&page=2",
    )
    expect(url.text("GET /tenant-77/orders: a/bcdefgh is wrong")).toBe("GET ***/orders: *** is wrong")
    expect(createMasker(["postgres://db"]).text("null and postgres://db/x")).toBe("null and ***/x")
  })

  it("is masked without surrounding whitespace, which HTTP removes", () => {
    expect(createMasker([" k3y one "]).text("[k3y one]")).toBe("[***]")
  })

  it("may start with any character", () => {
    for (const first of ["😀", "ü", "漢", "%", "&", "\\", "+", " ", "\n", "\0"])
      expect(createMasker([`${first}${first}-x1`]).text(`a ${first}${first}-x1 b`)).toBe("a *** b")
  })

  it("may be of any length", () => {
    const long = Array.from({ length: 20_000 }, (_, at) => `ü%+"${at}`).join("")
    const mask = createMasker([long])
    for (const form of [
      long,
      JSON.stringify(long).slice(1, -1),
      encodeURIComponent(long),
      bytes(long).toString("base64"),
      encodeURIComponent(JSON.stringify(long).slice(1, -1)),
    ])
      expect(mask.text(`<${form}>`)).toBe(`<${MASK}>`)
  })
})

describe("a secret in nested escapes", () => {
  const awkward = `it's "a"/\\b~1\u001bc`
  const json = JSON.stringify(awkward).slice(1, -1)

  it.each<[string, string]>([
    ["as Node shows it in an object", inspect({ awkward }).slice(12, -3)],
    ["as Node shows it in a map", inspect(new Map([[1, awkward]])).slice(15, -3)],
    ["inside JSON inside a URL", encodeURIComponent(json)],
    ["inside JSON inside a URL, in lowercase", encodeURIComponent(json).toLowerCase()],
    ["inside JSON inside a form", new URLSearchParams({ "": json }).toString().slice(1)],
    ["inside a URL inside JSON in ASCII", encodeURIComponent(awkward).replaceAll("%", String.raw`\u0025`)],
    ["inside JSON inside HTML", json.replaceAll('"', "&quot;").replaceAll("'", "&#x27;")],
    [
      "with named HTML entities",
      awkward.replaceAll("/", "&sol;").replaceAll("\\", "&bsol;").replaceAll("'", "&apos;"),
    ],
    ["as a step of a JSON pointer", awkward.replaceAll("~", "~0").replaceAll("/", "~1")],
    ["as hexadecimal escapes", awkward.replaceAll(/[^a-z0-9]/g, (at) => `\\x${bytes(at).toString("hex")}`)],
    ["in hexadecimal", bytes(awkward).toString("hex")],
    ["in uppercase hexadecimal", bytes(awkward).toString("hex").toUpperCase()],
    ["with each letter percent-encoded", bytes(awkward).toString("hex").replaceAll(/../g, "%$&")],
  ])("is masked %s, and nothing else is", (_, form) => {
    expect(createMasker([awkward]).text(`(${form})`)).toBe(`(${MASK})`)
  })

  it("is masked in Node's output of a buffer, complete or truncated", () => {
    expect(createMasker([awkward]).text(inspect(bytes(awkward)))).toBe(`<Buffer ${MASK}>`)
    const long = `${"key".repeat(30)}-1`
    expect(createMasker([long]).text(inspect(bytes(long)))).toBe(`<Buffer ${MASK} ... 42 more bytes>`)
  })

  it.each([0, 1, 2])("is masked in base64 of its escaped form, with %i bytes before it", (before) => {
    for (const inner of [json, encodeURIComponent(json), new URLSearchParams({ a: awkward }).toString()]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const written = bytes(`${"x".repeat(before)}${inner}yz`).toString(encoding)
        expect(createMasker([awkward]).text(`a ${written} b`)).toMatch(/^a .{0,6}\*{3}.{0,6} b$/)
      }
      const twice = bytes(`u:${bytes(`${"x".repeat(before)}${inner}`).toString("base64")}`).toString("base64")
      expect(createMasker([awkward]).text(twice)).toMatch(/^.{0,14}\*{3}$/)
    }
  })

  it("is masked in the payload of a token", () => {
    const payload = bytes(JSON.stringify({ sub: "ada", key: awkward })).toString("base64url")
    expect(createMasker([awkward]).text(`eyJhbGciOiJIUzI1NiJ9.${payload}.c2ln`)).toMatch(
      /^eyJhbGciOiJIUzI1NiJ9\.[\w-]{25,32}\*{3}[\w-]{0,4}\.c2ln$/,
    )
  })

  it("is masked in lines of a few characters that are indented or shown one by one", () => {
    const lines = "ab\n  cd\nef\ngh\nij"
    for (const form of [
      lines.replaceAll("\n", "\n    "),
      lines.replaceAll("\n", "\r\n"),
      lines.replaceAll("\n", "\\n"),
    ])
      expect(createMasker([lines]).text(`(${form})`)).toBe(`(${MASK})`)
    expect(createMasker([lines]).text(inspect({ lines }))).toBe(`{ lines: '${MASK}' }`)
    expect(createMasker([lines]).text("ab cd ef gh ij")).toBe("ab cd ef gh ij")
  })

  it("doesn't mask look-alikes", () => {
    const mask = createMasker(["key/1+2", "deadbeef"])
    for (const text of ["key%2F1-2", "\\key", "dead-bee", "&key;", "%zz~2\\q", "64656164626565"])
      expect(mask.text(text)).toBe(text)
    expect(mask.text(String.raw`C:\deadbeef`)).toBe(String.raw`C:\***`)
  })
})

describe("a text with many escapes, or one as repetitive as the secret", () => {
  it.each<[string, string, string]>([
    ["a letter", "a".repeat(60_000), "a".repeat(100_000)],
    ["an escaped letter", "a".repeat(60_000), "%61".repeat(20_000)],
    ["backslashes", "\\".repeat(300), "\\".repeat(50_000)],
    ["percent signs", "%25".repeat(300), "%25".repeat(20_000)],
    ["line breaks", "\n ".repeat(300), "\\n ".repeat(50_000)],
  ])("is masked in seconds, with the rest of the text if necessary: %s", (_, period, text) => {
    const key = `${period}k3y-42`
    const masked = createMasker([key]).text(`${text}${key} ${key}`)
    expect(masked).toContain(MASK)
    expect(masked).not.toContain("k3y")
  })

  it.each(["\\", "\\n", "%25", "&amp;", "~0", "%41", "+", "\n ", "%5C%22"])(
    "is unchanged if it contains no secret: %j",
    (escape) => {
      const text = escape.repeat(50_000)
      expect(createMasker(["k3y-42", "p/w+1 x"]).text(text)).toBe(text)
    },
  )
})

describe("several secrets", () => {
  it("leave no remainder of one that contains another", () => {
    expect(createMasker(["abcd", "abcdefgh", "efgh"]).text("abcdefgh abcd-efgh")).toBe("*** ***-***")
  })

  it("leave no remainder if one overlaps another or itself, or starts where a longer one does", () => {
    expect(createMasker(["zabc", "abcdef"]).text("-zabcdef-")).toBe("-***-")
    expect(createMasker(["abab"]).text("ababab.")).toBe("***.")
    // The shorter secret is encoded in its longer form, so it ends later.
    expect(createMasker(["a%2Fb%2Fc", "a/b/c/d"]).text("<a%2Fb%2Fc%2Fd>")).toBe("<***>")
  })

  it("may contain characters that are special in regular expressions", () => {
    expect(createMasker(["a.c*[d", "$&$1"]).text("a.c*[d abcd $&$1")).toBe("*** abcd ***")
  })
})

describe("short secrets, numbers and booleans", () => {
  const mask = createMasker(["ab", 42, true, 9007199254740993n, "a/"])

  it("are masked only where they are a whole value", () => {
    const value = {
      text: "ab",
      longer: "cab 42 true",
      list: [42, 43, true, false, null, "42"],
      42: 1,
      ab: 9007199254740993n,
    }
    expect(mask.value(value)).toEqual({
      text: MASK,
      longer: "cab 42 true",
      list: [MASK, 43, MASK, false, null, MASK],
      42: 1,
      ab: MASK,
    })
    expect(mask.text("ab")).toBe(MASK)
    expect(mask.text("1 of 42 failed")).toBe("1 of 42 failed")
  })

  it("are masked as values of a URL, a cookie and a credential", () => {
    expect(mask.url("http://h:42/ab/x?p=42&ab=true#ab")).toBe("http://h:42/***/x?p=***&ab=***#ab")
    expect(mask.url("http://h/a%2F/ab.json")).toBe("http://h/***/ab.json")
    expect(mask.header("sid=ab; t=true2; u=42")).toBe("sid=***; t=true2; u=***")
    expect(mask.header("Bearer ab")).toBe("Bearer ***")
  })
})

it("masks nothing without a secret, and keeps big integers", () => {
  const mask = createMasker([""])
  const value = { big: 9007199254740993n, __proto__: null }
  expect(mask.value(value)).toEqual({ big: 9007199254740993n })
  expect(mask.text("")).toBe("")
})

describe("a secret learned late", () => {
  it("makes a value secret that was public before", () => {
    const mask = createMasker(["s3cr3t-one"])
    const body = { id: 7, tokens: ["s3cr3t-two", 1] }
    expect(mask.value(body)).toBe(body)
    mask.learn("s3cr3t-two")
    expect(mask.value(body)).toEqual({ id: 7, tokens: ["***", 1] })
  })

  it("is masked from then on, in every encoding", () => {
    const mask = createMasker(["an0ther"])
    expect(mask.text("t0ken-42")).toBe("t0ken-42")
    mask.learn("t0ken-42")
    expect(mask.text("x t0ken-42, an0ther")).toBe(`x ${MASK}, ${MASK}`)
    expect(mask.text(bytes("t0ken-42").toString("base64"))).toBe(MASK)
    expect(mask.occursIn("t0ken%2D42")).toBe(true)
  })

  it("is known from then on; an empty one is always known", () => {
    const mask = createMasker([])
    expect([mask.knows("t0ken"), mask.knows("")]).toEqual([false, true])
    mask.learn("t0ken")
    expect(mask.knows("t0ken")).toBe(true)
  })

  it("is only masked as a whole value if it is short or a number", () => {
    const mask = createMasker([])
    expect(mask.value({ pin: 1234, text: "a 1234", id: "ab" })).toEqual({
      pin: 1234,
      text: "a 1234",
      id: "ab",
    })
    mask.learn(1234)
    mask.learn("ab")
    expect(mask.value({ pin: 1234, text: "a 1234", id: "ab" })).toEqual({
      pin: MASK,
      text: "a 1234",
      id: MASK,
    })
    expect(mask.url("https://host/ab/abc")).toBe(`https://host/${MASK}/abc`)
  })
})

it("masks a secret with one character escaped twice next to one that isn't", () => {
  expect(createMasker(["ö日W6abcd"]).text("a ö%25E6%2597%25A5W6abcd b")).toBe(`a ${MASK} b`)
})

describe("a secret in nested numeric encodings", () => {
  const encodings = ["base64", "base64url", "hex"] as const
  const orders = encodings.flatMap((first) =>
    encodings.flatMap((second) => encodings.map((third) => [first, second, third] as const)),
  )

  it.each(orders)("is masked in %s of %s of %s", (...order) => {
    for (const of of ["s3cr3t-value", "a漢éx", "<é>\u0001"]) {
      const mask = createMasker([of])
      const written = order.reduceRight((text, encoding) => bytes(text).toString(encoding), `x ${of} y`)
      expect(mask.text(`a ${written} b`)).toContain(MASK)
    }
  })

  it("is masked if line breaks split it and whitespace is escaped", () => {
    const of = "ö\u00a0Phcéög日PüäxfBrpJoT8"
    const mask = createMasker([of])
    for (const width of [5, 16, 19, 20, 76])
      for (const before of ["", "~", "~~"])
        for (const encoding of encodings) {
          const written = bytes(`${before}${of}~`).toString(encoding)
          expect(mask.text(written.replaceAll(new RegExp(`.{${width}}`, "g"), "$&\r\n"))).toContain(MASK)
        }
    const buffer = inspect(bytes(of))
    for (const shown of [
      encodeURIComponent(buffer),
      buffer.replaceAll(" ", "+"),
      buffer.replaceAll(" ", "&#32;"),
    ])
      expect(mask.text(shown)).toContain(MASK)
  })

  it("is masked if the text was truncated", () => {
    const mask = createMasker(["s3cr3t-value"])
    for (const encoding of encodings)
      for (const before of ["", "x", "xy"]) {
        const written = bytes(`${before}s3cr3t-value`).toString(encoding)
        expect(mask.text(`${written.slice(0, (2 * written.length) / 3)}…`)).toContain(`${MASK}…`)
      }
  })
})

describe("thousands of secrets with a common prefix", () => {
  const token = (of: number) => `eyJhbGciOiJIUzI1NiJ9.${(of * 7919).toString(36).padStart(12, "q")}`
  const mask = createMasker(Array.from({ length: 3000 }, (_, of) => token(of)))

  it("are all masked, in base64 and URLs too", () => {
    for (const of of [0, 1, 999, 2999]) {
      expect(mask.text(`a ${token(of)} b`)).toBe(`a ${MASK} b`)
      expect(mask.text(`a=${encodeURIComponent(`"${token(of)}"`)}`)).toBe(`a=%22${MASK}%22`)
    }
    for (const of of [999, 1000, 2999]) expect(mask.text(bytes(token(of)).toString("base64"))).toBe(MASK)
  })

  it("mask nothing else with that prefix", () => {
    expect(mask.text("eyJhbGciOiJIUzI1NiJ9.other")).toBe("eyJhbGciOiJIUzI1NiJ9.other")
  })

  it("may have a very long common prefix", () => {
    const long = createMasker(["1", "2", "22"].map((end) => "x".repeat(700) + end))
    expect(long.text(`a ${"x".repeat(700)}22 b ${"x".repeat(700)}1 c ${"x".repeat(700)}3`)).toBe(
      `a ${MASK} b ${MASK} c ${"x".repeat(700)}3`,
    )
  })

  it("may be parts of each other", () => {
    const nested = createMasker(["abcd", "abcdef", "abcdefgh", "abXdef", "cdef"])
    expect(nested.text("abcd abcdef abcdefgh abXdef xcdefx abc")).toBe(
      `${MASK} ${MASK} ${MASK} ${MASK} x${MASK}x abc`,
    )
  })
})

describe("a text that was truncated in the middle of a secret", () => {
  const mask = createMasker(["s3cr3t-value", "s3cr3t-other", "s3cr"])

  it("shows no part of it", () => {
    expect(mask.text("a s3cr3t-va… (40 characters)")).toBe(`a ${MASK}… (40 characters)`)
    expect(createMasker(["s3cr3t-value"]).text("s3cr3t…")).toBe(`${MASK}…`)
    expect(createMasker(["s3cr3t-value", "s3cr3t-other"]).text("s3cr3…")).toBe(`${MASK}…`)
  })

  it("shows what only starts like it", () => {
    expect(createMasker(["s3cr3t-value"]).text("s3c… s3cr3t-v4lue…")).toBe("s3c… s3cr3t-v4lue…")
  })
})

describe("keys of a masked object", () => {
  const mask = createMasker(["s3cr3t-one", "s3cr3t-two", "s3cr3t-three"])

  it.each<[string, object, object]>([
    [
      "that become equal when masked",
      { "s3cr3t-one": 1, a: 2, "s3cr3t-two": 3 },
      { "***": 1, a: 2, "*** (2)": 3 },
    ],
    [
      "of three, in their order",
      { "x-s3cr3t-three": 1, "x-s3cr3t-two": 2, "x-s3cr3t-one": 3 },
      { "x-***": 1, "x-*** (2)": 2, "x-*** (3)": 3 },
    ],
    [
      "next to keys that look masked and are not",
      { "s3cr3t-one": 1, "s3cr3t-two": 2, "***": 3, "*** (2)": 4 },
      { "*** (3)": 1, "*** (4)": 2, "***": 3, "*** (2)": 4 },
    ],
    [
      "that become what numbering produced when masked",
      { "s3cr3t-one": 1, "s3cr3t-two": 2, "s3cr3t-three (2)": 3 },
      { "***": 1, "*** (2)": 2, "*** (2) (2)": 3 },
    ],
    [
      "whose number would produce an already masked key",
      { "s3cr3t-three (2)": 1, "s3cr3t-one": 2, "s3cr3t-two": 3 },
      { "*** (2)": 1, "***": 2, "*** (3)": 3 },
    ],
    [
      "of an inner object, with its own numbering",
      { "s3cr3t-one": { "s3cr3t-two": 1 } },
      { "***": { "***": 1 } },
    ],
  ])("stay distinct: %s", (_, value, shown) => {
    const masked = mask.value(value as never)
    expect(masked).toEqual(shown)
    expect(mask.value(masked)).toEqual(shown)
  })
})
