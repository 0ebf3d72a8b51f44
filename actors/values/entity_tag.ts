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

/**
 * Whether a record is as the entity tags of an If-Match header say, if there is one. What a client
 * has read stays current as long as nobody edits it.
 */
export function isCurrent(ifMatch: readonly string[] | undefined, revision: number): boolean {
  if (ifMatch === undefined) return true
  const text = String(revision)
  return ifMatch.some((tag) => tag === '*' || revisionTag.exec(tag)?.groups?.['revision'] === text)
}
