import { describe, expect, it } from "vitest"
import { formats } from "./formats.ts"

const good: Readonly<Record<string, readonly unknown[]>> = {
  "date-time": [
    "2024-02-29T23:59:59Z",
    "2024-01-01t00:00:00.123456z",
    "2024-01-01T00:00:00+05:30",
    "1998-12-31T23:59:60Z",
    "1998-12-31T15:59:60.5-08:00",
    7,
  ],
  date: ["2024-02-29", "2000-02-29", "2023-12-31"],
  email: [
    "a@b",
    "a.b+c@example.co.uk",
    `"a b"@example.com`,
    "a@[127.0.0.1]",
    "a@[IPv6:::1]",
    "te~st@example.com",
  ],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
  uri: [
    "https://user:pw@example.com:8080/a/b?c=d#e",
    "urn:isbn:123",
    "mailto:a@b.c",
    "file:///a/b",
    "http://[::1]/",
    "http://a/%20",
    "http://[v1.a:b]/",
    "data:,",
  ],
  ipv4: ["0.0.0.0", "255.255.255.255"],
  ipv6: ["::", "::1", "1:2:3:4:5:6:7:8", "1::8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "2001:DB8::"],
  int32: [2147483647, -2147483648, 1, "x"],
  int64: [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 5],
}

const bad: Readonly<Record<string, readonly unknown[]>> = {
  "date-time": [
    "2024-01-01 00:00:00Z",
    "2024-01-01T00:00:00",
    "2024-01-01T00:00:00+0530",
    "2024-01-01T24:00:00Z",
    "2023-02-29T00:00:00Z",
    "2024-01-01T12:00:60Z",
    "1998-12-31T23:59:61Z",
    "2024-01-01T00:00Z",
    "2024-01-01T00:00:00+24:00",
    "",
  ],
  date: ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "2024-01-00", "24-01-01"],
  email: ["a", "@b", "a@", "a b@c", ".a@b", "a..b@c", "a@b..c", "a@-b", "a@[1.2.3]", "a@b@c"],
  uuid: ["123e4567e89b12d3a456426614174000", "urn:uuid:123e4567-e89b-12d3-a456-426614174000", "x"],
  uri: [
    "/relative",
    "//host/a",
    "a b:c",
    "http://a b",
    "http://a/%2",
    "http://a/ü",
    "http://[1/",
    "http://a:x/",
    ":a",
    "",
  ],
  ipv4: ["1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.a", "1.2.3."],
  ipv6: [
    "1:2:3:4:5:6:7",
    ":1",
    "1::2::3",
    "12345::",
    "1:2:3:4:5:6:7:8:9",
    "::1.2.3",
    "1.2.3.4::",
    "fe80::1%eth0",
    "",
  ],
  int32: [2147483648, -2147483649, 1.5, 9007199254740993n],
  int64: [2n ** 63n, -(2n ** 63n) - 1n, 1.5, 9.3e18],
}

describe.each([...formats.keys()])("format %s", (name) => {
  const { holds } = formats.get(name)!

  it.each(good[name] ?? [])("accepts %s", (value) => {
    expect(holds(value)).toBe(true)
  })

  it.each(bad[name] ?? [])("rejects %s", (value) => {
    expect(holds(value)).toBe(false)
  })

  it("handles long texts at once", () => {
    const started = performance.now()
    for (const unit of ["a", "a.", "1:", "%", "@", "-", `"`, "[", "1", "a@"]) {
      holds(unit.repeat(100_000))
      holds(`a@${unit.repeat(100_000)}`)
      holds(`http://${unit.repeat(100_000)}`)
    }
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
