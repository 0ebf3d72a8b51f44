/** The number of a record's newest event, and of the newest one that was an edit of it. */
type Numbered = { readonly seq: number; readonly revision: number }

/**
 * The entity tag of a record, quoted: its revision, and after events that are no edit, such as
 * checks of a work's content, the number of the newest event, so that it is another one after each.
 */
export function entityTag({ seq, revision }: Numbered): string {
  return seq === revision ? `"${revision}"` : `"${revision}.${seq}"`
}

const revisionTag = /^"(?<revision>\d+)(?:\.\d+)?"$/

/** Members of a record that are others after each edit of it, such as its `version`. */
export type Edition = Readonly<Record<string, unknown>>

/**
 * What a client has read of the record that it changes: the entity tags of an If-Match header, and
 * what a body that was made of the whole record says of its edition (`seen`).
 */
export type Precondition = { readonly ifMatch?: readonly string[]; readonly seen?: Edition }

/**
 * Whether a record is as a client has read it, if the client says what it has read. That stays
 * current as long as nobody edits the record.
 */
export function isCurrent(
  { ifMatch = ['*'], seen = {} }: Precondition,
  { revision, ...edition }: Edition & { readonly revision: number },
): boolean {
  const text = String(revision)
  const isTagged = ifMatch.some(
    (tag) => tag === '*' || revisionTag.exec(tag)?.groups?.['revision'] === text,
  )
  return isTagged && Object.entries(seen).every(([name, value]) => edition[name] === value)
}

/** A change of a record that was edited since the client has read it. */
export type PreconditionFailed = {
  readonly type: 'precondition_failed'
  /** Of the record as it stands; undefined where it has none. */
  readonly etag?: string
  /** What others have changed, as far as that is known. */
  readonly changes?: readonly FieldEdit[]
}

/**
 * A field that was edited at a time, with that version of the record. Without a version: one that
 * differs from what the client has sent, in a record that was edited last at that time.
 */
export type FieldEdit = {
  readonly field: string
  readonly at: string
  readonly version?: number
}
