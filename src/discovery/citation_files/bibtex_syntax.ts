/** A field of an entry: LaTeX, with its abbreviations written out. */
export type BibtexField = { readonly name: string; readonly value: string; readonly line: number }

/** What is not as BibTeX has it, and what was made of it: a sentence. */
export type BibtexRemark = {
  readonly field: string
  readonly line: number
  readonly message: string
  readonly isLoss: boolean
}

/** A part of a BibTeX file that begins with an `@`. */
export type BibtexPart = {
  readonly kind: 'entry' | 'string' | 'preamble' | 'comment'
  /** The type of an entry, in lower case. */
  readonly type: string
  /** Where it begins, from 1. */
  readonly line: number
  /** The key of an entry; empty if it has none. */
  readonly key: string
  readonly fields: readonly BibtexField[]
  readonly remarks: readonly BibtexRemark[]
  /** Whether its braces are closed. */
  readonly isClosed: boolean
  /** Characters, also of what its abbreviations stand for. */
  readonly length: number
}

/** Characters that a value may have with its abbreviations written out; more are not read. */
const valueCharactersMax = 500_000
/** Characters that the abbreviations of a text stand for, wherever they are used: more are left. */
const abbreviatedCharactersMax = 20_000_000
/** Things that are named of an entry that is not as it should be, at most. */
const remarksMax = 50

const openingForm = /@[ \t\n]{0,99}([^\s{}()",=#%'@\\]+)\s{0,99}([{(])/g
/** A line that can only begin another entry: what stands before it was not closed. */
export const nextEntryForm = /\n[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][ \t]*(?:[^\s{}(),="]+[ \t]*)?,/g
const nameForm = /[^\s"#%'(),={}]+/y
// Between fields, a comment goes to the end of its line.
const gapForm = /(?:\s+|%[^\n]*)*/y
const afterValueForm = /(?:\s|%[^\n]*\n)*(?:[,#})]|[^\s"#%'(),={}]+\s*=)/y
// What is in a value only where the brace before it was not closed.
const swallowedForm = /,\s*[A-Za-z][\w-]*\s*=\s*[{"\d]/

// What BibTeX's own styles define.
const standard = `jan jan;feb feb;mar mar;apr apr;may may;jun jun;jul jul;aug aug;sep sep;
oct oct;nov nov;dec dec;
acmcs ACM Computing Surveys;acta Acta Informatica;cacm Communications of the ACM;
ibmjrd IBM Journal of Research and Development;ibmsj IBM Systems Journal;
ieeese IEEE Transactions on Software Engineering;ieeetc IEEE Transactions on Computers;
ieeetcad IEEE Transactions on Computer-Aided Design of Integrated Circuits;
ipl Information Processing Letters;jacm Journal of the ACM;
jcss Journal of Computer and System Sciences;scp Science of Computer Programming;
sicomp SIAM Journal on Computing;tocs ACM Transactions on Computer Systems;
tods ACM Transactions on Database Systems;tog ACM Transactions on Graphics;
toms ACM Transactions on Mathematical Software;toois ACM Transactions on Office Information Systems;
toplas ACM Transactions on Programming Languages and Systems;tcs Theoretical Computer Science`
const standardAbbreviations = standard.split(';').map((each): readonly [string, string] => {
  const [, name = '', text = ''] = /^\s*(\S+) (.*)$/.exec(each) ?? []
  return [name, text]
})

// What an abbreviation that nothing defines says by its name.
const namedFields = new Set(['month', 'language', 'langid', 'license', 'copyright', 'rights'])

/**
 * The parts of a BibTeX file, in order. What stands between them is a comment. What BibTeX only
 * warns of is read, with a remark; a part whose braces are not closed ends where the next entry
 * begins, so that it spoils nothing but itself.
 */
export function splitBibtex(text: string): readonly BibtexPart[] {
  return new BibtexScanner(text).scan()
}

type KnownDelimiters = {
  readonly from: number
  readonly to: number
  readonly delimiters: Delimiters
}

class BibtexScanner {
  readonly #text: string
  readonly #abbreviations = new Map(standardAbbreviations)
  readonly #lacks = new Map<string, string>()
  /** The next beginning of an entry, and from where on that was looked for. */
  #next = { from: 0, at: -1 }
  /** The line of the last place that was asked for: mostly, the next one is on it or behind it. */
  readonly #line: { number: number; start: number; end: number }
  #abbreviated = 0
  /** The next entry, where a text before it is not closed as BibTeX has it. */
  #slowTo: number | undefined
  readonly #delimiters: Partial<Record<DelimiterRule, KnownDelimiters>> = {}
  /** By LaTeX, many texts can have one end, which is asked for again and again. */
  readonly #valueEnds: Partial<Record<DelimiterRule, { end: number; is: boolean }>> = {}

  constructor(text: string) {
    this.#text = text
    this.#line = { number: 1, start: 0, end: endOfLine(text, 0) }
  }

  scan(): readonly BibtexPart[] {
    const parts: BibtexPart[] = []
    const opening = new RegExp(openingForm)
    let end = 0
    for (let match = opening.exec(this.#text); match !== null; match = opening.exec(this.#text)) {
      if (!this.#beginsPart(match.index, end)) continue
      const reader = new PartReader(this, match)
      parts.push(reader.read())
      end = reader.at
      opening.lastIndex = Math.max(end, match.index + 1)
    }
    return parts
  }

  get text(): string {
    return this.#text
  }

  /** Defines an abbreviation; `lack` says what could not be read of it. */
  define(name: string, value: string, lack: string | undefined): void {
    this.#abbreviations.set(name.toLowerCase(), value)
    if (lack === undefined) this.#lacks.delete(name.toLowerCase())
    else this.#lacks.set(name.toLowerCase(), lack)
  }

  lackOf(name: string): string | undefined {
    return this.#lacks.get(name.toLowerCase())
  }

  /** What an abbreviation stands for; undefined also where they stand for too much in all. */
  meaningOf(name: string): string | undefined {
    const meaning = this.#abbreviations.get(name.toLowerCase())
    this.#abbreviated += meaning?.length ?? 0
    return this.#abbreviated > abbreviatedCharactersMax ? undefined : meaning
  }

  /** Whether something defines an abbreviation. */
  defines(name: string): boolean {
    return this.#abbreviations.has(name.toLowerCase())
  }

  /** The line of a place. */
  lineAt(at: number): number {
    const line = this.#line
    for (; at > line.end; line.number += 1) {
      line.start = line.end + 1
      line.end = endOfLine(this.#text, line.start)
    }
    for (; at < line.start; line.number -= 1) {
      line.end = line.start - 1
      line.start = line.end === 0 ? 0 : this.#text.lastIndexOf('\n', line.end - 1) + 1
    }
    return line.number
  }

  /** Where the next entry begins, by the looks of it; the end of the text if none does. */
  nextEntry(from: number): number {
    const { at, from: looked } = this.#next
    if (from >= looked && from <= at) return at
    nextEntryForm.lastIndex = from
    const found = nextEntryForm.exec(this.#text)?.index ?? this.#text.length
    this.#next = { from, at: found }
    return found
  }

  /**
   * Where a text ends that is closed as BibTeX has it, with what may follow it behind: looked for
   * sign by sign, until one text before the next entry is not closed so.
   */
  quickEnd(from: number, isQuoted: boolean): number | undefined {
    const to = this.nextEntry(from)
    if (this.#slowTo === to) return undefined
    const end = closedAt(this.#text, from, to, isQuoted)
    if (end !== undefined && this.endsValue(end, 'plain')) return end
    this.#slowTo = to
    return undefined
  }

  /** The ends of what is open between a place and the next entry. */
  delimiters(from: number, rule: DelimiterRule): Delimiters {
    const to = this.nextEntry(from)
    const known = this.#delimiters[rule]
    if (known !== undefined && known.from <= from && known.to === to) return known.delimiters
    const delimiters = new Delimiters(this.#text, from, to, rule)
    this.#delimiters[rule] = { from, to, delimiters }
    return delimiters
  }

  /** Whether what may follow a value stands at a place. */
  endsValue(end: number, rule: DelimiterRule): boolean {
    const known = this.#valueEnds[rule]
    if (known?.end === end) return known.is
    afterValueForm.lastIndex = end
    const is = afterValueForm.test(this.#text)
    this.#valueEnds[rule] = { end, is }
    return is
  }

  /** Whether an `@` stands at the beginning of a line, or right behind the part before it. */
  #beginsPart(start: number, end: number): boolean {
    let at = start - 1
    while (at >= end && /[^\S\n]/.test(this.#text.charAt(at))) at -= 1
    return at < end || this.#text[at] === '\n'
  }
}

/** Behind the sign that closes a text in braces or quotation marks; undefined if none does. */
function closedAt(text: string, from: number, to: number, isQuoted: boolean): number | undefined {
  let depth = 0
  for (let at = from; at < to; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === openingBrace) depth += 1
    else if (sign === closingBrace) {
      if (depth === 0) return isQuoted ? undefined : at + 1
      depth -= 1
    } else if (sign === quotationMark && isQuoted && depth === 0) return at + 1
  }
  return undefined
}

const openingBrace = '{'.charCodeAt(0)
const closingBrace = '}'.charCodeAt(0)
const quotationMark = '"'.charCodeAt(0)

/** Where a line ends: at its line feed, or at the end of the text. */
function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

class PartReader {
  at: number
  readonly #scanner: BibtexScanner
  readonly #text: string
  readonly #start: number
  readonly #name: string
  readonly #close: string
  readonly #fields: BibtexField[] = []
  readonly #remarks: BibtexRemark[] = []
  #length = 0

  constructor(scanner: BibtexScanner, opening: RegExpExecArray) {
    const [whole, name = '', open] = opening
    this.#scanner = scanner
    this.#text = scanner.text
    this.#start = opening.index
    this.#name = name.toLowerCase()
    this.#close = open === '(' ? ')' : '}'
    this.at = opening.index + whole.length
  }

  read(): BibtexPart {
    const line = this.#scanner.lineAt(this.#start)
    const kind = ['string', 'preamble', 'comment'].find((each) => each === this.#name)
    if (kind === 'preamble' || kind === 'comment') {
      this.at =
        this.#scanner.delimiters(this.at, 'plain').braceEnd(this.at) ??
        this.#scanner.nextEntry(this.at)
      return this.#part(kind, line, '', true)
    }
    const key = kind === 'string' ? '' : this.#readKey()
    const isClosed = this.#readFields()
    // What is not closed ends where another entry begins.
    if (!isClosed) this.at = this.#scanner.nextEntry(this.at - 1)
    if (kind === 'string') {
      for (const { name, value } of this.#fields) {
        const lack = this.#remarks.find(({ field, isLoss }) => field === name && isLoss)?.message
        this.#scanner.define(name, value, lack)
      }
    }
    return this.#part(kind === 'string' ? 'string' : 'entry', line, key, isClosed)
  }

  #part(kind: BibtexPart['kind'], line: number, key: string, isClosed: boolean): BibtexPart {
    const length = this.at - this.#start + this.#length
    const [fields, remarks] = [this.#fields, this.#remarks]
    return { kind, type: this.#name, line, key, fields, remarks, isClosed, length }
  }

  /** What stands before the first comma or the next entry; nothing if a field stands there. */
  #readKey(): string {
    const form = this.#close === ')' ? /[^,={}\n]*/y : /[^,={}]*/y
    form.lastIndex = this.at
    const [upToSign = ''] = form.exec(this.#text) ?? []
    const found = upToSign.slice(0, this.#scanner.nextEntry(this.at) - this.at)
    const end = this.at + found.length
    if (this.#text[end] !== '=') {
      const isOver = this.#close === ')' && this.#text[end] !== ',' && found.includes(')')
      const key = isOver ? found.slice(0, found.indexOf(')')) : found
      this.at += key.length
      return key.trim().replace(/\s+/g, ' ')
    }
    // No field has a name such as `https://example.org/?a`.
    const whole = /[^,{}"\n]*(?=,)/y
    whole.lastIndex = this.at
    const [upToComma = ''] = /^\s*[^\s\w]*[\w.-]*[^\s\w.+-]\S*\s*$/.test(found)
      ? (whole.exec(this.#text) ?? [])
      : []
    if (upToComma !== '') {
      this.at += upToComma.length
      return upToComma.trim()
    }
    // `{key title = …`: the comma behind the key is missing, or the key is.
    const [, key = '', gap = ''] = /^\s*(\S+)(\s+)\S+\s*$/.exec(found) ?? []
    if (key === '') return ''
    this.at += found.indexOf(key) + key.length + gap.length
    this.#remark('', this.at, `A comma is missing behind ${key}.`, false)
    return key
  }

  /** Reads the fields up to the end of the part; gives whether it has one. */
  #readFields(): boolean {
    let isFirst = true
    for (;;) {
      const before = this.at
      this.#skipGap()
      const hasComma = this.#text[this.at] === ','
      while (this.#text[this.at] === ',') {
        this.at += 1
        this.#skipGap()
      }
      const character = this.#text[this.at]
      if (character === undefined || this.#isNextEntry(before)) return this.#closeLate(before)
      if (character === this.#close) {
        this.at += 1
        return true
      }
      if (!this.#readField(hasComma || isFirst)) return false
      isFirst = false
    }
  }

  #skipGap(): void {
    gapForm.lastIndex = this.at
    if (gapForm.test(this.#text)) this.at = gapForm.lastIndex
  }

  #isNextEntry(before: number): boolean {
    if (this.#text[this.at] !== '@') return false
    const next = this.#scanner.nextEntry(Math.max(before - 1, 0))
    return next < this.at
  }

  /** An entry of which only the last brace is missing is whole. */
  #closeLate(before: number): boolean {
    this.at = before
    if (this.#fields.length === 0) return false
    this.#remark('', before, `The ${this.#close} at its end is missing.`, false)
    return true
  }

  /** Reads a field; gives false if its value has no end. */
  #readField(isParted: boolean): boolean {
    const start = this.at
    nameForm.lastIndex = start
    const [name] = nameForm.exec(this.#text) ?? []
    if (name === undefined) return this.#skipStray()
    this.at += name.length
    this.#skipGap()
    const bare = this.#readSign(name, start)
    if (bare === undefined) return true
    if (!isParted) this.#remark('', start, `A comma is missing before ${name}.`, false)
    const value = this.#readValue(bare)
    if (value === undefined) return false
    this.#length += value.length
    this.#fields.push({ name: bare, value, line: this.#scanner.lineAt(start) })
    return true
  }

  /** Reads the `=` behind a name, which some write as `:` or leave out; gives the name alone. */
  #readSign(name: string, start: number): string | undefined {
    const sign = this.#text.charAt(this.at)
    if (sign === '=') {
      this.at += 1
      return name.toLowerCase()
    }
    const bare = name.replace(/:$/, '').toLowerCase()
    if (sign === '{' || sign === '"') {
      this.#remark(bare, start, `A = is missing behind ${name}.`, false)
      return bare
    }
    this.#remark(bare, start, `${name} has no value, and is left out.`, true)
    return undefined
  }

  /** What begins no field is left out: a brace with what is in it, or one sign. */
  #skipStray(): boolean {
    const start = this.at
    const isBrace = this.#text[start] === '{'
    const end = isBrace
      ? this.#scanner.delimiters(start + 1, 'plain').braceEnd(start + 1)
      : start + 1
    if (end === undefined) return false
    this.at = end
    this.#remark(
      '',
      start,
      `${this.#text.slice(start, end).slice(0, 40)} is left out: it has no name.`,
      true,
    )
    return true
  }

  /** Texts, numbers and abbreviations with `#` between them. */
  #readValue(field: string): string | undefined {
    const pieces: string[] = []
    for (;;) {
      const gap = this.at
      this.#skipGap()
      const piece = this.#isNextEntry(gap) ? undefined : this.#readPiece(field)
      if (piece === undefined) return undefined
      pieces.push(piece)
      const before = this.at
      this.#skipGap()
      if (this.#text[this.at] !== '#') {
        this.at = before
        break
      }
      this.at += 1
    }
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length <= valueCharactersMax) return pieces.join('')
    this.#remark(
      field,
      this.at,
      `${field} is longer than ${valueCharactersMax} characters: left out.`,
      true,
    )
    return ''
  }

  #readPiece(field: string): string | undefined {
    const sign = this.#text[this.at]
    if (sign === '{' || sign === '"') return this.#readDelimited(sign === '"')
    const start = this.at
    nameForm.lastIndex = start
    const [name] = nameForm.exec(this.#text) ?? []
    if (name === undefined) return ''
    this.at += name.length
    const meaning = this.#scanner.meaningOf(name) ?? (/^\d/.test(name) ? name : undefined)
    const lack = this.#scanner.lackOf(name)
    if (lack !== undefined) this.#remark(field, start, lack, true)
    if (meaning !== undefined) return meaning
    if (namedFields.has(field)) return name
    const why = this.#scanner.defines(name)
      ? 'All abbreviations of the file stand for too many characters'
      : `The file does not say what ${name} stands for`
    const message = `${why}, so that ${field} is without it.`
    this.#remark(field, start, message, true)
    return ''
  }

  /** A text in braces or quotation marks; where it ends is said by BibTeX, or by LaTeX. */
  #readDelimited(isQuoted: boolean): string | undefined {
    const start = this.at + 1
    const quick = this.#scanner.quickEnd(start, isQuoted)
    if (quick !== undefined) {
      this.at = quick
      return this.#text.slice(start, quick - 1)
    }
    const endBy = (rule: DelimiterRule) => {
      const delimiters = this.#scanner.delimiters(start, rule)
      const end = isQuoted ? delimiters.quoteEnd(start) : delimiters.braceEnd(start)
      return { end, isOfValue: end !== undefined && this.#scanner.endsValue(end, rule) }
    }
    const plain = endBy('plain')
    const fit = plain.isOfValue ? plain : endBy('escaping')
    const found = fit.isOfValue ? fit.end : undefined
    const end = found ?? plain.end
    if (end === undefined) return undefined
    const value = this.#text.slice(start, end - 1)
    if (found === undefined && swallowedForm.test(value)) return undefined
    this.at = end
    return value
  }

  #remark(field: string, at: number, message: string, isLoss: boolean): void {
    if (this.#remarks.length >= remarksMax) return
    this.#remarks.push({ field, line: this.#scanner.lineAt(at), message, isLoss })
  }
}

/** What a `{` or `"` of BibTeX is closed by, as BibTeX has it, or as LaTeX reads `\}`. */
type DelimiterRule = 'plain' | 'escaping'

const markForms: Readonly<Record<DelimiterRule, RegExp>> = {
  plain: /[{}"]/g,
  escaping: /\\[^]|[{}"]/g,
}

/**
 * Where what is open at any place of a range is closed. Each sign is looked at once, from the end
 * on, however often it is asked for: a range of braces without ends costs no more than another.
 */
class Delimiters {
  /** Places of braces and quotation marks, in order. */
  readonly #places: readonly number[]
  /** By mark: the mark that closes a brace that is open before it; their number if none does. */
  readonly #braceEnds: Int32Array
  /** By mark: the quotation mark that ends a text before it, which stands in no braces. */
  readonly #quoteEnds: Int32Array

  constructor(text: string, from: number, to: number, rule: DelimiterRule) {
    this.#places = marksIn(text, from, to, rule)
    const count = this.#places.length
    this.#braceEnds = new Int32Array(count + 1).fill(count)
    this.#quoteEnds = new Int32Array(count + 1).fill(count)
    for (let mark = count - 1; mark >= 0; mark -= 1) this.#place(mark, text)
  }

  /** Behind the `}` that closes a brace which is open at a place; undefined if none does. */
  braceEnd(start: number): number | undefined {
    return this.#behind(this.#braceEnds[this.#firstFrom(start)])
  }

  /** Behind the `"` that ends a text which begins at a place; undefined if none does. */
  quoteEnd(start: number): number | undefined {
    return this.#behind(this.#quoteEnds[this.#firstFrom(start)])
  }

  #place(mark: number, text: string): void {
    const sign = text[this.#places[mark] ?? 0]
    // What is in braces is passed over as a whole.
    const next = sign === '{' ? this.#afterBrace(mark) : mark + 1
    this.#braceEnds[mark] = sign === '}' ? mark : (this.#braceEnds[next] ?? 0)
    this.#quoteEnds[mark] = sign === '"' ? mark : (this.#quoteEnds[next] ?? 0)
  }

  #afterBrace(mark: number): number {
    const count = this.#places.length
    return Math.min(count, (this.#braceEnds[mark + 1] ?? count) + 1)
  }

  #behind(mark: number | undefined): number | undefined {
    const place = mark === undefined ? undefined : this.#places[mark]
    return place === undefined ? undefined : place + 1
  }

  /** The first mark at or behind a place. */
  #firstFrom(start: number): number {
    let [low, high] = [0, this.#places.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#places[middle] ?? 0) < start) low = middle + 1
      else high = middle
    }
    return low
  }
}

function marksIn(text: string, from: number, to: number, rule: DelimiterRule): readonly number[] {
  const places: number[] = []
  const form = new RegExp(markForms[rule])
  form.lastIndex = from
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    if (match.index >= to) break
    if (match[0].length === 1) places.push(match.index)
  }
  return places
}
