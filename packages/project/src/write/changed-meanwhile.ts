// A file is no longer what a change was made from: the change starts anew from what is there now.

/** Thrown before anything is replaced, or after what was replaced is put back; never reaches a caller. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile"
  /** Path from the project root. */
  readonly file: string

  constructor(file: string) {
    super("another program has changed the file")
    this.file = file
  }
}
