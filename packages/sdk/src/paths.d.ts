// What `get` reads, as types: the type at the end of a path, and which steps a path may take. Types alone.

/** Of a value that stands in no document; the name is what an editor shows. */
export interface AsDocumented {
  readonly "callsheet: the type that the workflow and its documents give": never
}

/** A path that means nothing where the script is called, and why. */
export interface NotHere<Reason> {
  readonly "callsheet: not here": Reason
}

/** The names that mean nothing where the script is called, each with the reason. */
export interface Absent<Reasons> {
  readonly "callsheet: absent"?: Reasons
}

/** What is read where the documented responses that the workflow looks for have no such part: another documented one. */
export interface Otherwise<Other> {
  readonly "callsheet: otherwise"?: Other
}

/** Where a path leads to nothing. */
export interface Nowhere {
  readonly "callsheet: nowhere": never
}

/** A response but for its body. */
export interface ResponseParts<Headers extends string = never> {
  status: number
  durationMs: number
  headers: ResponseHeaders<Headers>
}

/** Headers by their lower-case names. */
export type ResponseHeaders<Names extends string = never> = {
  [Name in Exclude<Names, "set-cookie">]?: string
} & { "set-cookie"?: string[] } & { [name: string]: string | undefined }

/** What a script's function returns, as paths read it afterwards. */
export type Outputs<Script> = Script extends (...parameters: never[]) => infer Result
  ? AsJson<Awaited<Result>>
  : unknown

type AsJson<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? AsJson<Item>[]
    : T extends object
      ? { [K in keyof T]: AsJson<T[K]> }
      : T

/**
 * The paths that may stand where `Path` is being written: itself where it leads somewhere, and the steps that can be taken
 * from as far as it leads. A path that is known at run time alone may be any.
 */
export type PathIn<Names, Path extends string> = unknown extends Names
  ? string
  : IsWritten<Path> extends false
    ? Path
    : [ValueAt<Names, Path>] extends [Nowhere]
      ? Finding<Names, Path>
      : Path | Continuations<Names, Path>

/**
 * What `get` gives: of the type that is asked for where there is one, else of the type at the end of the path. Where that is
 * known, what the value is given to does not count as asking.
 */
export type ReadAt<Names, Path extends string, Asked> = unknown extends Names
  ? [Asked] extends [AsDocumented]
    ? unknown
    : Asked | undefined
  : [Asked] extends [AsDocumented]
    ? IsWritten<Path> extends false
      ? unknown
      : ValueAt<Names, Path>
    : Uninferred<Asked> | undefined

type Uninferred<T> = [T][T extends unknown ? 0 : never]

/** False for `string`, and for a text with something in it that is not known before: `ship-${number}`. */
type IsWritten<Path extends string> = string extends Path ? false : {} extends Record<Path, 1> ? false : true

/**
 * The type at the end of a path: `Nowhere` where it leads to nothing, with `undefined` where it may. A quoted key with a
 * backslash is not taken apart.
 */
export type ValueAt<T, Path extends string> = Path extends `${string}\\${string}`
  ? unknown
  : Cut<Path> extends [infer Name extends string, infer Rest extends string]
    ? Follow<T, Name, Rest>
    : Nowhere

type Follow<T, Name extends string, Rest extends string> =
  Onwards<Step<T, Name>, Rest> extends infer Found
    ? [Found] extends [Nowhere | Gone]
      ? Elsewhere<T, Name, Rest>
      : Settled<Found>
    : never

type Onwards<Next, Rest extends string> = [Next] extends [Nowhere | Gone]
  ? Nowhere
  : Rest extends ""
    ? Next
    : ValueAt<Settled<Next>, Rest>

/** What another documented response has there, which may not be the one that came. */
type Elsewhere<T, Name extends string, Rest extends string> = [OtherOf<T>] extends [never]
  ? Nowhere
  : Onwards<Step<OtherOf<T>, Name>, Rest> extends infer Found
    ? [Found] extends [Nowhere | Gone]
      ? Nowhere
      : Settled<Found> | undefined
    : never

type OtherOf<T> = T extends { "callsheet: otherwise"?: infer Other }
  ? unknown extends Other
    ? never
    : NonNullable<Other>
  : never

/** Of several values that may be there, some may have no such part: then it may be undefined. */
type Settled<Found> =
  | Exclude<Found, Nowhere | Gone>
  | ([Extract<Found, Nowhere | Gone>] extends [never] ? never : undefined)

/** A part of nothing: of null, or of what is not there. */
interface Gone {
  readonly "callsheet: gone": never
}

/** One step, from each of the values that may be there. */
type Step<T, Name extends string> = unknown extends T
  ? Name extends ""
    ? Nowhere
    : unknown
  : T extends null | undefined
    ? Gone
    : T extends readonly (infer Item)[]
      ? Name extends `${bigint}`
        ? Item | undefined
        : Nowhere
      : T extends object
        ? Name extends keyof T & string
          ? Name extends ""
            ? Nowhere
            : T[Name]
          : Nowhere
        : Nowhere

/** The first name of a path, and the rest with the dot or bracket that it begins with. */
type Cut<Path extends string> = Path extends `["${infer Name}"]${infer Rest}`
  ? [Name, Rest]
  : Path extends `[${infer Index}]${infer Rest}`
    ? [Index, Rest]
    : Path extends `.${infer Rest}`
      ? CutName<Rest>
      : CutName<Path>

type CutName<Path extends string> = Path extends `${infer Head}.${infer Tail}`
  ? Head extends `${infer Name}[${infer Index}`
    ? [Name, `[${Index}.${Tail}`]
    : [Head, `.${Tail}`]
  : Path extends `${infer Name}[${infer Index}`
    ? [Name, `[${Index}`]
    : [Path, ""]

/** The paths that go one step further than the last one that leads somewhere, or end there. */
type Continuations<T, Path extends string, Done extends string = ""> =
  Cut<Path> extends [infer Name extends string, infer Rest extends string]
    ? Rest extends ""
      ? Ends<T, Done>
      : [Step<T, Name>] extends [Nowhere | Gone]
        ? Ends<T, Done>
        : Continuations<
            Settled<Step<T, Name>>,
            Rest,
            Path extends `${infer Head}${Rest}` ? `${Done}${Head}` : never
          >
    : never

type Ends<T, Done extends string> = [PartsOf<T>] extends [never] ? Done : Joined<PartsOf<T>, Done>

/** The names of documented parts; of an array its first index. What the parts are is not looked at: it may be the script's own result. */
type PartsOf<T> = unknown extends T
  ? never
  : T extends readonly unknown[]
    ? "0"
    : T extends object
      ? keyof { [K in keyof T as Shown<K>]: never }
      : never

type Shown<K> = K extends `callsheet: ${string}`
  ? never
  : K extends string
    ? string extends K
      ? never
      : K
    : never

type Joined<Name, Done extends string> = Name extends string
  ? IsPlain<Name> extends true
    ? Done extends ""
      ? Name
      : `${Done}.${Name}`
    : `${Done}["${Name}"]`
  : never

type IsPlain<Name extends string> = Name extends
  | ""
  | `${string}.${string}`
  | `${string}[${string}`
  | `${string}]${string}`
  | `${string}{${string}`
  | `${string}}${string}`
  ? false
  : true

/** Why a path leads nowhere: its first name, or the paths that do lead on. */
type Finding<Names, Path extends string> =
  Cut<Path> extends [infer Name extends string, string]
    ? [ReasonOf<Names, Name>] extends [never]
      ? Continuations<Names, Path>
      : NotHere<ReasonOf<Names, Name>>
    : Continuations<Names, Path>

type ReasonOf<Names, Name extends string> = Names extends { "callsheet: absent"?: infer Reasons }
  ? Name extends keyof NonNullable<Reasons>
    ? NonNullable<Reasons>[Name]
    : never
  : never
