/** A field of an entry of which all others say one thing, and we another. */
export type Disagreement = {
  readonly field: string
  /** The type of the entry. */
  readonly type: string
  /** The fields of the entry, in LaTeX. */
  readonly sources: ReadonlyMap<string, string>
  readonly ours: string
  readonly theirs: string
}

/** A kind of disagreement in which we are right: what it is, and the text that decides it. */
export type Verdict = {
  readonly fields: readonly string[]
  readonly what: string
  readonly by: string
  readonly isOurs: (about: Disagreement) => boolean
}

/** A field without what two readers write in two ways that say the same. */
export function foldField(field: string, text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\s~\u200b]+/g, ' ')
    .trim()
  const folding = foldings[field]
  return folding === undefined ? plain : folding(plain)
}

const foldings: Readonly<Record<string, (text: string) => string>> = {
  title: foldWords,
  container: foldWords,
  publisher: foldWords,
  families: foldNames,
  given: foldNames,
  doi: (text) => text.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi: ?)/i, '').toLowerCase(),
  // The start of a range is what a work has room for.
  year: (text) => text.replace(/^(\d{4}) ?[-–—/]+ ?\d{0,4}$/, '$1'),
  pages: (text) => foldDashes(text).replace(/ ?([-,]) ?/g, '$1'),
  volume: foldDashes,
  issue: foldDashes,
}

function foldDashes(text: string): string {
  return text.replace(/[-\u2010-\u2015\u2212]+/g, '-')
}

/** Quotation marks and dashes in one form, scripts on the line, no braces. */
function foldWords(text: string): string {
  return foldDashes(text)
    .replace(/[‘’`]/g, "'")
    .replace(/[“”]|''/g, '"')
    .replace(/[{}]/g, '')
    .replace(/[\^_](?=\S)/g, '')
    .normalize('NFKC')
    .replace(/ ?- ?/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** "others" is no name, and hyphens and apostrophes are of one form. */
function foldNames(text: string): string {
  return foldDashes(text)
    .replace(/; others$/, '')
    .replace(/[’`]/g, "'")
    .replace(/[{}]/g, '')
    .replace(/; $/, '')
}

/** Kinds of disagreement that are decided. */
export const verdicts: readonly Verdict[] = []
