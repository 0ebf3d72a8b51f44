import { UnusableError } from '#src/cli/program.ts'
import { nextEntryForm, splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'

/** A part of a file that ends where an entry ends; `line` is where it begins, from 1. */
type FilePart = { readonly text: string; readonly line: number }

/** Characters at which a part ends with its entry, and those that it has at most. */
const partCharactersWanted = 262_144
const partCharactersMax = 8 * 1_048_576

/** The line breaks before the entries of BibTeX, where their reader sees entries, too. */
export function bibtexBeginning(): RegExp {
  return new RegExp(nextEntryForm)
}

/** The line breaks before the records of RIS, by how the file writes its tags. */
export function risBeginning(text: string): RegExp {
  return /^\s*TY {2}-/m.test(text) ? /\n\s*TY {2}-/g : /\n[ \t]*TY[ \t]{1,2}-/gi
}

/**
 * Cuts a text before entries into parts of about 256 KiB; `formOf` gives, by the first part,
 * what an entry begins with. UnusableError if an entry is longer than 8 MiB.
 */
export async function* cutParts(
  texts: AsyncIterable<string>,
  formOf: (text: string) => RegExp,
): AsyncGenerator<FilePart> {
  let held = ''
  let line = 1
  let form: RegExp | undefined
  for await (const text of withLineFeeds(texts)) {
    held += text
    if (held.length < partCharactersWanted) continue
    form ??= formOf(held)
    const end = lastBeginning(held, form)
    if (end !== undefined) {
      yield { text: held.slice(0, end), line }
      line += lineFeeds(held.slice(0, end))
      held = held.slice(end)
    } else if (held.length > partCharactersMax) {
      const size = `${partCharactersMax / 1_048_576} MiB`
      throw new UnusableError(`The entry on line ${line} is larger than ${size}.`)
    }
  }
  if (held !== '') yield { text: held, line }
}

async function* withLineFeeds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let open = ''
  for await (const text of texts) {
    const whole = open + text
    // The line feed that belongs to it may come with what follows.
    open = whole.endsWith('\r') ? '\r' : ''
    yield whole.slice(0, whole.length - open.length).replace(/\r\n?/g, '\n')
  }
  if (open !== '') yield '\n'
}

function lastBeginning(text: string, form: RegExp): number | undefined {
  let last: number | undefined
  for (const { index } of text.matchAll(form)) last = index + 1
  return last
}

function lineFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Characters of the abbreviations, and of the entries that others name, at most. */
const contextCharactersMax = 8 * 1_048_576

const referenceForm = /\b(?:crossref|xdata|xref|entryset)\s*=\s*["{]([^"{}]*)/gi
const aliasForm = /\bids\s*=\s*["{]([^"{}]*)/i
const keyForm = /^[^{(]*[{(]\s*([^\s,]*)/

/**
 * What the parts of a BibTeX file need of each other: the abbreviations that stand before a part,
 * and the entries that its own ones take fields from.
 */
export class BibtexContext {
  /** By their keys in small letters. */
  readonly #entries: ReadonlyMap<string, string>
  #abbreviations = ''

  private constructor(entries: ReadonlyMap<string, string>) {
    this.#entries = entries
  }

  /** Reads all parts, twice where entries name others. UnusableError if those are too long. */
  static async of(partsAgain: () => AsyncIterable<FilePart>): Promise<BibtexContext> {
    const named = new Set<string>()
    let count = 0
    for await (const { text } of partsAgain()) {
      count += 1
      for (const key of namedIn(text)) named.add(key)
    }
    const entries = new Map<string, string>()
    if (count < 2 || named.size === 0) return new BibtexContext(entries)
    let characters = 0
    for await (const { text } of partsAgain()) {
      for (const entry of entriesOf(text)) {
        for (const key of keysOf(entry).filter((each) => named.has(each) && !entries.has(each))) {
          entries.set(key, entry)
          characters += entry.length
        }
      }
      if (characters > contextCharactersMax) throw tooMuch('entries that others take fields from')
    }
    return new BibtexContext(entries)
  }

  /**
   * A part, the next one in order, with what it needs: its lines keep their numbers, and what is
   * behind it begins on `endLine`.
   */
  complete({ text, line }: FilePart): { readonly text: string; readonly endLine: number } {
    const own = text.endsWith('\n') ? text : `${text}\n`
    const before = this.#abbreviations + '\n'.repeat(line - 1)
    if (/@\s*string/i.test(own)) this.#define(this.#abbreviations + own)
    const endLine = line + lineFeeds(own)
    return { text: `${before}${own}${this.#needed(own).join('')}`, endLine }
  }

  #define(text: string): void {
    const strings = splitBibtex(text).flatMap(({ kind, fields }) => {
      return kind === 'string' ? fields : []
    })
    const values = new Map(strings.map(({ name, value }) => [name, value.replace(/\s+/g, ' ')]))
    this.#abbreviations = [...values].map(([name, value]) => `@string{${name}={${value}}}`).join('')
    if (this.#abbreviations.length > contextCharactersMax) throw tooMuch('abbreviations')
  }

  /** The entries that those of a text name, and those that these name. */
  #needed(text: string): readonly string[] {
    const found = new Set<string>()
    const keys = namedIn(text)
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      const entry = this.#entries.get(key)
      if (entry === undefined || found.has(entry)) continue
      found.add(entry)
      keys.push(...namedIn(entry))
    }
    return [...found]
  }
}

function tooMuch(what: string): UnusableError {
  const size = `${contextCharactersMax / 1_048_576} MiB`
  return new UnusableError(`The file has more than ${size} of ${what}: import it in parts.`)
}

/** The keys, in small letters, of the entries that those of a text take fields from. */
function namedIn(text: string): string[] {
  return [...text.matchAll(referenceForm)].flatMap(([, keys = '']) => keysIn(keys))
}

function keysIn(list: string): readonly string[] {
  const keys = list.split(',').map((key) => key.trim().toLowerCase())
  return keys.filter((key) => key !== '')
}

/** The entries of a text, each with what stands between it and the next one. */
function entriesOf(text: string): readonly string[] {
  const starts = [...text.matchAll(bibtexBeginning())].map(({ index }) => index + 1)
  const all = text.startsWith('@') ? [0, ...starts] : starts
  return all.map((start, index) => `${text.slice(start, all[index + 1]).trimEnd()}\n`)
}

function keysOf(entry: string): readonly string[] {
  const [, key = ''] = keyForm.exec(entry) ?? []
  const [, aliases = ''] = aliasForm.exec(entry) ?? []
  return keysIn(`${key},${aliases}`)
}
