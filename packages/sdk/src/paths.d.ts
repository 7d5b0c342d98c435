// The types of `get`: the type of the value at a path, and the next steps that a path can have. No runtime code.

/** The default of `Value`, which takes the type from the document. Editors show the name of this property. */
export interface AsDocumented {
  readonly "callsheet: the type that the workflow and its documents give": never
}

/** A path that isn't available where the script is called, and the reason. */
export interface NotHere<Reason> {
  readonly "callsheet: not here": Reason
}

/** The names that aren't available where the script is called, each with the reason. */
export interface Absent<Reasons> {
  readonly "callsheet: absent"?: Reasons
}

/** The type of the part in another documented response. Used for parts that the expected responses don't have. */
export interface Otherwise<Other> {
  readonly "callsheet: otherwise"?: Other
}

/** The type of a path that doesn't resolve. */
export interface Nowhere {
  readonly "callsheet: nowhere": never
}

/** A response without its body. */
export interface ResponseParts<Headers extends string = never> {
  status: number
  durationMs: number
  headers: ResponseHeaders<Headers>
}

/** The headers under lowercase names. */
export type ResponseHeaders<Names extends string = never> = {
  [Name in Exclude<Names, "set-cookie">]?: string
} & { "set-cookie"?: string[] } & { [name: string]: string | undefined }

/** The result of a script's function, as later blocks read it. */
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
 * The valid paths while `Path` is being typed: the path itself if it resolves, and the next steps after the part that
 * resolves. A path that is only known at run time may be any string.
 */
export type PathIn<Names, Path extends string> = unknown extends Names
  ? string
  : IsWritten<Path> extends false
    ? Path
    : [ValueAt<Names, Path>] extends [Nowhere]
      ? Finding<Names, Path>
      : Path | Continuations<Names, Path>

/** The argument of `expect` in an assert block. Text that is written as a path has to resolve. */
export type SubjectIn<Names, Subject> = Subject extends string
  ? IsPath<Names, Subject> extends true
    ? PathIn<Names, Subject>
    : Subject
  : Subject

type IsPath<Names, Text extends string> = unknown extends Names
  ? false
  : Text extends `${string}.response` | `${string}.response.${string}` | `${string}.response[${string}`
    ? true
    : Text extends `${infer Name}.${string}` | `${infer Name}[${string}`
      ? Name extends keyof Names
        ? NonNullable<Names[Name]> extends { response: unknown }
          ? false
          : true
        : false
      : false

/**
 * The return type of `get`: the requested type or, without one, the type at the end of the path. If the path's type is
 * known, the compiler must not infer the requested type from the surrounding code.
 */
export type ReadAt<Names, Path extends string, Asked> = unknown extends Names
  ? [Asked] extends [AsDocumented]
    ? unknown
    : Asked | undefined
  : [Asked] extends [AsDocumented]
    ? IsWritten<Path> extends false
      ? unknown
      : ValueAt<Names, Path>
    : NotInferred<Asked> | undefined

type NotInferred<T> = [T][T extends unknown ? 0 : never]

/** `false` for `string`, and for a template type with a part that is only known at run time: `ship-${number}`. */
type IsWritten<Path extends string> = string extends Path ? false : {} extends Record<Path, 1> ? false : true

/**
 * The type at the end of a path: `Nowhere` if the path doesn't resolve, or a union with `undefined` if it might not
 * resolve. Quoted keys with a backslash are not parsed.
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

/** The type of the part in another documented response. The received response may be a different one. */
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

/** The type of a part. Includes `undefined` if only some of the possible values have the part. */
type Settled<Found> =
  | Exclude<Found, Nowhere | Gone>
  | ([Extract<Found, Nowhere | Gone>] extends [never] ? never : undefined)

/** The type after a step into `null` or a missing value. */
interface Gone {
  readonly "callsheet: gone": never
}

/** The type after one step, from any of the possible values. */
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

/** The first name of a path, and the rest including its leading dot or bracket. */
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

/** The paths that extend the last part that resolves by one step, or that end there. */
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

/**
 * The names of documented parts, including the first index of an array. Doesn't read the types of the parts, which may
 * include the script's own result.
 */
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

/** The reason why a path doesn't resolve: its first name is unknown, or only certain other paths resolve. */
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
