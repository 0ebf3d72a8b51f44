import { type Mark, writeMarkup } from '#actors/values/markup.ts'
import { normalForm } from '#actors/values/text.ts'
import {
  accents,
  alphabets,
  functionNames,
  lonelyAccents,
  lowered,
  mathAccents,
  raised,
  signs,
  silent,
  silentWithArgument,
  footnotes,
  spaces,
  wrappers,
} from '#src/discovery/citation_files/latex_commands.ts'
import { ligatures, readSimple } from '#src/discovery/citation_files/latex_signs.ts'
import {
  hasSpacing,
  keepAside,
  keptMark,
  onOneLine,
  withKept,
  withMarkup,
} from '#src/discovery/citation_files/markup.ts'

/** What a value of LaTeX says, and the commands in it that stay as they are. */
export type LatexText = { readonly text: string; readonly left: readonly string[] }

/** Braces and arguments within one another that are read; within more, only braces are dropped. */
const depthMax = 60
/** Commands that are named of a value, at most. */
const leftMax = 10
const formulaCharactersMax = 500
const optionCharactersMax = 200
const quoteCharactersMax = 300
const paragraphEnd = '\u2029'

type Mode = 'text' | 'math' | 'verbatim'

/**
 * Reads a value of LaTeX as a line of text, or as paragraphs parted by a line break: accents and
 * commands as what they print, raised and lowered signs as Unicode has them, braces dropped. A
 * command that is not known stays whole, with its arguments.
 */
export function readLatex(source: string, form: 'line' | 'paragraphs' = 'line'): LatexText {
  if (isPlain(source)) return { text: composed(source.trim()), left: nothingLeft }
  const simple = form === 'line' || !source.includes('\n') ? readSimple(source) : undefined
  if (simple !== undefined) return { text: composed(onOneLine(simple)), left: nothingLeft }
  const reader = new LatexReader(source)
  return { text: inLines(reader.read('text'), form), left: [...reader.left] }
}

function inLines(read: string, form: 'line' | 'paragraphs'): string {
  const lines = form === 'line' ? [read] : read.split(paragraphEnd)
  const text = lines.map(onOneLine).filter((line) => line !== '')
  return composed(text.join('\n'))
}

const markedForm =
  /\\(?:text(?:it|sl|bf|su[bp]erscript)|emph|mkbib|it|em|sl|bf)(?![A-Za-z]{3})|[$^_]|\\\(/

/**
 * A value of LaTeX with its marks, and with its formulas as they are; undefined where it has none.
 * `text` is what `readLatex` makes of it.
 */
export function latexMarkup(
  source: string,
  text: string,
  form: 'line' | 'paragraphs',
): string | undefined {
  if (!markedForm.test(source) || /[\ufdd0\ufdd1]/.test(source)) return undefined
  const kept: string[] = []
  const read = inLines(new LatexReader(source, kept).read('text'), form)
  return kept.length === 0 ? undefined : withMarkup(text, withKept(read, kept)).markup
}

/** Whether a text stands for itself. */
function isPlain(source: string): boolean {
  return !/[\\{}$~`']/.test(source) && !source.includes('--') && !hasSpacing(source)
}

const nothingLeft: readonly string[] = []

/** A text in NFC; most have nothing that could be composed. */
function composed(text: string): string {
  return /[\u0300-\uffff]/.test(text) ? normalForm(text, 'NFC') : text
}

/** Reads a value that is an address or an identifier, without the LaTeX that some write in it. */
export function readVerbatim(source: string): LatexText {
  const reader = /[\\{}$]/.test(source) ? new LatexReader(source) : undefined
  const lines = (reader?.read('verbatim') ?? source).split('\n').map((line) => line.trim())
  return { text: composed(lines.join('')), left: [...(reader?.left ?? nothingLeft)] }
}

/** What is read next: a range of the source, and where it goes on behind that. */
type Extent = { readonly from: number; readonly to: number; readonly next: number }

class LatexReader {
  readonly left = new Set<string>()
  readonly #source: string
  /** Where each brace, bracketed by `$`s or not, and each `$` finds its other one. */
  readonly #ends: ReadonlyMap<number, number>
  /** Where quotations end that have begun with one backtick. */
  readonly #quoteEnds = new Set<number>()
  readonly #found = new Map<string, { readonly from: number; readonly at: number }>()
  /** Where marks and formulas go that are kept; undefined where a text alone is read. */
  readonly #kept: string[] | undefined

  constructor(source: string, kept?: string[]) {
    this.#source = source
    this.#kept = kept
    this.#ends = pairs(source)
  }

  read(mode: Mode): string {
    return this.#read(0, this.#source.length, mode, 0)
  }

  /** The source between two places, whose empty lines end paragraphs. */
  breakParagraphs(from: number, to: number): string {
    return this.#source.slice(from, to).replace(/\n[^\S\n]*\n\s*/g, paragraphEnd)
  }

  #read(from: number, to: number, mode: Mode, depth: number): string {
    if (depth > depthMax) return this.#source.slice(from, to).replace(/[{}]/g, '')
    const pieces: string[] = []
    let at = from
    while (at < to) {
      const plain = this.#plainUntil(at, to, mode)
      if (plain > at) pieces.push(this.breakParagraphs(at, plain))
      at = plain < to ? this.#readSpecial(plain, to, { mode, depth, pieces }) : plain
    }
    return pieces.join('')
  }

  #plainUntil(at: number, to: number, mode: Mode): number {
    const form = specialForms[mode]
    form.lastIndex = at
    const index = form.test(this.#source) ? form.lastIndex - 1 : to
    return Math.min(index, to)
  }

  #readSpecial(at: number, to: number, context: Context): number {
    const { mode, depth, pieces } = context
    const sign = this.#source.charAt(at)
    switch (sign) {
      case '\\':
        return this.#readCommand(at, to, context)
      case '{': {
        const end = Math.min(this.#ends.get(at) ?? to, to)
        const text = this.#read(at + 1, end, mode, depth + 1)
        groupForm.lastIndex = at + 1
        const [, name = ''] = groupForm.exec(this.#source) ?? []
        pieces.push(mode === 'text' ? this.#marked(markNames.get(name), text) : text)
        return end + 1
      }
      case '}':
        return at + 1
      case '$':
        return this.#readFormula(at, to, context)
      case '^':
      case '_':
        return this.#readScript(at, to, context)
      case '~':
        pieces.push(' ')
        return at + 1
      default:
        return this.#readLigature(at, context)
    }
  }

  #readLigature(at: number, { mode, pieces }: Context): number {
    if (mode === 'math') {
      pieces.push(this.#source.charAt(at) === "'" ? '′' : this.#source.charAt(at))
      return at + 1
    }
    const [found, written] = ligatures.find(([marks]) => this.#source.startsWith(marks, at)) ?? [
      this.#source.charAt(at),
    ]
    pieces.push(written ?? (mode === 'text' ? this.#readQuote(found, at) : found))
    return at + found.length
  }

  /** A single quotation mark, if it is one of a pair; else an apostrophe, or the sign itself. */
  #readQuote(sign: string, at: number): string {
    if (sign === "'" && this.#quoteEnds.delete(at)) return '’'
    if (sign !== '`' || /[^\s([{~-]/.test(this.#source.charAt(at - 1))) return sign
    const found = quoteForm.exec(this.#source.slice(at, at + quoteCharactersMax))
    if (found === null) return sign
    this.#quoteEnds.add(at + found[0].length - 1)
    return '‘'
  }

  #readFormula(at: number, to: number, { mode, depth, pieces }: Context): number {
    const isDisplay = this.#source.startsWith('$$', at)
    const from = at + (isDisplay ? 2 : 1)
    const end = this.#ends.get(at)
    if (end === undefined || end > to || isMoney(this.#source, from, end)) {
      // A $ that begins no formula is one of money.
      pieces.push('$')
      return at + 1
    }
    if (mode === 'verbatim' && !escapeForm.test(this.#source.slice(from, end))) {
      pieces.push('$')
      return at + 1
    }
    const inner = mode === 'verbatim' ? 'verbatim' : 'math'
    const text = this.#read(from, end, inner, depth + 1).trim()
    pieces.push(mode === 'text' ? this.#formula(from, end, text) : text)
    return end + (isDisplay && this.#source.startsWith('$$', end) ? 2 : 1)
  }

  #readScript(at: number, to: number, { mode, depth, pieces }: Context): number {
    const sign = this.#source.charAt(at)
    if (mode !== 'math') {
      pieces.push(sign)
      return at + 1
    }
    const argument = this.#argument(at + 1, to)
    const text = this.#read(argument.from, argument.to, 'math', depth + 1).trim()
    pieces.push(this.#script(text, sign))
    return argument.next
  }

  /** A raised or lowered text; in the signs of a formula, and named, where Unicode lacks a form. */
  #script(text: string, sign: string): string {
    const written = inScript(text, sign === '^' ? raised : lowered)
    if (written !== undefined) return written
    const kept = Array.from(text).length === 1 ? `${sign}${text}` : `${sign}{${text}}`
    this.#leave(kept)
    return kept
  }

  #leave(command: string): void {
    if (this.left.size < leftMax) this.left.add(command.slice(0, 40))
  }

  #readCommand(at: number, to: number, context: Context): number {
    commandForm.lastIndex = at
    const [whole, name = ''] = commandForm.exec(this.#source) ?? ['\\']
    const end = Math.min(at + whole.length, to)
    if (name === '') {
      context.pieces.push(at + 1 >= to ? '\\' : ' ')
      return end
    }
    // Spaces behind a command that is a word only end it.
    const next = /^[A-Za-z]/.test(name) ? this.#skipSpaces(end, to) : end
    return this.#readNamed({ name, at, end, next, to }, context)
  }

  #skipSpaces(from: number, to: number): number {
    spaceForm.lastIndex = from
    const [found = ''] = spaceForm.exec(this.#source) ?? []
    return /\n\s*\n/.test(found) ? from : Math.min(from + found.length, to)
  }

  #readNamed(command: Command, context: Context): number {
    const { name, next, to } = command
    const { pieces, mode } = context
    if (mode === 'math' && mathOnly.has(name)) return this.#readMathCommand(command, context)
    const accent = accents.get(name)
    if (accent !== undefined && !(mode === 'math' && /[=.`'"dbcrkutvHhGU]/.test(name))) {
      return this.#readAccent(command, accent, context)
    }
    const sign = signs.get(name)
    if (sign !== undefined) {
      // An operator that has a space before it has one behind it, too, and the other way round.
      const isOperator = !/\p{L}/u.test(sign) && pieces.at(-1)?.endsWith(' ') === true
      const isSpaced =
        mode === 'math' && (isOperator || (next > command.end && this.#isOperatorAt(next)))
      pieces.push(mode === 'verbatim' ? (asciiSigns.get(sign) ?? sign) : sign, isSpaced ? ' ' : '')
      return this.#source.startsWith('{}', next) ? next + 2 : next
    }
    if (spaces.has(name) || /^\s$/.test(name)) {
      pieces.push(mode === 'verbatim' ? '' : ' ')
      return next
    }
    if (silent.has(name)) {
      // In an address it is the slash of a text that was escaped for JavaScript.
      if (mode === 'verbatim' && name === '/') pieces.push('/')
      return next
    }
    if (/^(?:par|(?:big|med|small)skip)$/.test(name)) {
      pieces.push(mode === 'verbatim' ? '' : paragraphEnd)
      return next
    }
    return this.#readWithArgument(command, context) ?? this.#readOther(command, context, to)
  }

  /** Whether an operator that stands between spaces begins there. */
  #isOperatorAt(at: number): boolean {
    operatorForm.lastIndex = at
    const [sign, name] = operatorForm.exec(this.#source) ?? []
    return sign !== undefined && (name === undefined || /^[^\p{L}]/u.test(signs.get(name) ?? 'a'))
  }

  #readOther(command: Command, context: Context, to: number): number {
    const { name, at, end, next } = command
    const { mode, pieces } = context
    if (mode === 'math') return this.#readMathCommand(command, context)
    if (/^[%&#_${}|-]$/.test(name)) {
      pieces.push(name)
      return end
    }
    if (name === '\\') return this.#readDoubled(end, to, context)
    if (name === '(' || name === '[') return this.#readBracketed(command, context)
    if (mathAccents.has(name) || mathOnly.has(name) || functionNames.has(name)) {
      return this.#readMathCommand(command, context)
    }
    if (/^(?:[hv]skip|kern)$/.test(name)) {
      lengthForm.lastIndex = end
      const [length] = lengthForm.exec(this.#source) ?? []
      if (length !== undefined) {
        pieces.push(name === 'kern' || length.includes('-') || mode === 'verbatim' ? '' : ' ')
        return Math.min(end + length.length, to)
      }
    }
    if (name === 'char' || name === 'symbol') {
      const character = /^\{?(?:"([\dA-Fa-f]{1,5})|'([0-7]{1,6})|(\d{1,6}))\}?\s?/y
      const found = character.exec(this.#source.slice(next, next + 12))
      if (found !== null) {
        pieces.push(characterOf(found))
        return next + found[0].length
      }
    }
    if (mode === 'verbatim') {
      // What is no sign there is a command that prints none.
      if (!/^[A-Za-z]/.test(name)) pieces.push(name)
      else this.#leave(`\\${name}`)
      return next
    }
    return this.#keep(at, end, to, context)
  }

  /** `\\` ends a line; programs that escape twice write it before a sign. */
  #readDoubled(end: number, to: number, { mode, pieces }: Context): number {
    if (end < to && /[&%_#$]/.test(this.#source.charAt(end))) {
      pieces.push(this.#source.charAt(end))
      return end + 1
    }
    pieces.push(mode === 'verbatim' ? '\\' : ' ')
    return end
  }

  /** `\(…\)` and `\[…\]` are formulas. */
  #readBracketed({ name, end, to }: Command, { depth, pieces }: Context): number {
    const closing = this.#next(name === '(' ? '\\)' : '\\]', end)
    if (closing >= Math.min(to, end + formulaCharactersMax)) {
      pieces.push(name)
      return end
    }
    const text = this.#read(end, closing, 'math', depth + 1).trim()
    pieces.push(this.#formula(end, closing, text))
    return closing + 2
  }

  /** A formula as it is kept: a single sign is text, and a raised or lowered one is a mark. */
  #formula(from: number, to: number, text: string): string {
    const kept = this.#kept
    const source = this.#source.slice(from, to).replace(/\s+/g, ' ').trim()
    if (kept === undefined || text === '' || !structure.test(source)) return text
    const [, sign, braced, single] = scriptForm.exec(source.replace(uprightForm, '{$1}')) ?? []
    const script = (braced ?? single ?? '').replaceAll('-', '−')
    if (sign !== undefined) return keptMark(sign === '^' ? 'sup' : 'sub', script, kept)
    return keepAside(writeMarkup([{ syntax: 'tex', source }]), kept)
  }

  #marked(mark: Mark | undefined, text: string): string {
    return mark === undefined || this.#kept === undefined ? text : keptMark(mark, text, this.#kept)
  }

  /** A command that is not known: it stays, with the arguments that follow it at once. */
  #keep(at: number, end: number, to: number, { pieces }: Context): number {
    let next = end
    for (let count = 0; count < 9 && next < to; count += 1) {
      const sign = this.#source.charAt(next)
      const close = sign === '{' ? this.#ends.get(next) : undefined
      const bracket = sign === '[' ? this.#bracketEnd(next, to) : close
      if (bracket === undefined || bracket >= to) break
      next = bracket + 1
    }
    this.#leave(this.#source.slice(at, end))
    // Without its braces, `{\\foo}bar` would be another command.
    const isParted = /^\}[A-Za-z]/.test(this.#source.slice(next, next + 2))
    pieces.push(this.#source.slice(at, next), isParted && next === end ? '{}' : '')
    return next
  }

  #bracketEnd(at: number, to: number): number | undefined {
    const end = this.#next(']', at)
    return end < Math.min(to, at + optionCharactersMax) ? end : undefined
  }

  /** Where a sign stands next; the end of the source if it does not. Asked for mostly in order. */
  #next(sign: string, from: number): number {
    const known = this.#found.get(sign)
    if (known !== undefined && known.from <= from && from <= known.at) return known.at
    const found = this.#source.indexOf(sign, from)
    const at = found < 0 ? this.#source.length : found
    this.#found.set(sign, { from, at })
    return at
  }

  #readAccent({ name, next, to }: Command, accent: string, context: Context): number {
    const { mode, depth, pieces } = context
    const { from, to: until, next: after } = this.#argument(this.#skipSpaces(next, to), to)
    const text = this.#read(from, until, mode, depth + 1)
    // In an address, `\~` and `\^` are signs of their own.
    if (mode === 'verbatim' && (/[~^=.]/.test(name) || !/^\p{L}$/u.test(text))) {
      pieces.push(name)
      return next
    }
    // Crystals have digits with a bar.
    const form = name === '=' ? barredForm : accentedForm
    const [, letter, rest] = form.exec(text) ?? []
    if (letter === undefined) {
      // On anything but a letter, the accent is a sign of its own.
      pieces.push(lonelyAccents.get(name) ?? name, text.trim())
      return after
    }
    pieces.push(withAccent(letter, accent), rest ?? '')
    return after
  }

  #readWithArgument(command: Command, context: Context): number | undefined {
    const { name, next, to } = command
    const { mode, depth, pieces } = context
    if (silentWithArgument.has(name)) {
      const argument = this.#argument(next, to)
      const isSpace = name.startsWith('hspace') && this.#source[argument.from] !== '-'
      if (isSpace && mode !== 'verbatim') pieces.push(' ')
      return argument.next
    }
    if (footnotes.has(name)) {
      const close = this.#source.startsWith('[', next) ? this.#bracketEnd(next, to) : undefined
      const begin = close === undefined ? next : close + 1
      const end = this.#source.startsWith('{', begin) ? this.#argument(begin, to).next : begin
      this.#leave(`\\${name}${this.#source.slice(next, end)}`)
      return end
    }
    if (wrappers.has(name)) {
      const close = this.#source.startsWith('[', next) ? this.#bracketEnd(next, to) : undefined
      const begin = close !== undefined && this.#source[close + 1] === '{' ? close + 1 : next
      const isBraced = this.#source.startsWith('{', begin)
      if (!isBraced && mode !== 'math') return next
      const argument = this.#argument(begin, to)
      const inner = name === 'ensuremath' ? 'math' : textIn(name, mode)
      const text = this.#read(argument.from, argument.to, inner, depth + 1)
      pieces.push(mode === 'text' ? this.#marked(markNames.get(name), text) : text)
      return argument.next
    }
    return this.#readOddArguments(command, context)
  }

  #readOddArguments(command: Command, context: Context): number | undefined {
    const { name, next, to } = command
    const { mode, depth, pieces } = context
    const first = () => this.#argument(next, to)
    const inner = mode === 'verbatim' ? 'verbatim' : 'text'
    switch (name) {
      case 'textsuperscript':
      case 'textsubscript': {
        const { from, to: until, next: after } = first()
        const text = this.#read(from, until, 'text', depth + 1).trim()
        if (this.#kept !== undefined && mode === 'text') {
          pieces.push(keptMark(name === 'textsuperscript' ? 'sup' : 'sub', text, this.#kept))
          return after
        }
        const written = inScript(text, name === 'textsuperscript' ? raised : lowered)
        if (written === undefined) this.#leave(`\\${name}`)
        // Signs of notes, as names have them, are no part of the word before them.
        const isNote = name === 'textsuperscript' && /^[\d,*†‡§¶ ]+$/.test(text)
        pieces.push(written ?? (isNote ? `^{${text}}` : text))
        return after
      }
      case 'ce':
      case 'ch':
      case 'chem': {
        const { from, to: until, next: after } = first()
        pieces.push(this.#chemistry(from, until, depth))
        return after
      }
      case 'enquote':
      case 'mkbibquote':
      case 'textquote': {
        const { from, to: until, next: after } = first()
        pieces.push('“', this.#read(from, until, inner, depth + 1), '”')
        return after
      }
      case 'href':
      case 'textcolor':
      case 'foreignlanguage':
      case 'texorpdfstring': {
        const one = first()
        const two = this.#argument(one.next, to)
        const isAddress = name === 'href' && mode === 'verbatim'
        const shown = isAddress ? one : two
        // An address or a form of the text that is not shown is named.
        if (name === 'href' && !isAddress) this.#leave('\\href')
        pieces.push(this.#read(shown.from, shown.to, inner, depth + 1))
        return two.next
      }
      case 'MakeUppercase':
      case 'uppercase':
      case 'MakeLowercase':
      case 'lowercase': {
        const { from, to: until, next: after } = first()
        const text = this.#read(from, until, inner, depth + 1)
        pieces.push(/upper/i.test(name) ? text.toUpperCase() : text.toLowerCase())
        return after
      }
      default:
        return undefined
    }
  }

  /** A formula of chemistry: everybody writes H2O; what is raised is a charge. */
  #chemistry(from: number, to: number, depth: number): string {
    const text = this.#read(from, to, 'text', depth + 1)
    return text
      .replace(/\^\s*([\d+-]+)/g, (whole, charge: string) => inScript(charge, raised) ?? whole)
      .replace(
        /(?<![A-Za-z)\]])_(\d+)/g,
        (whole, count: string) => inScript(count, lowered) ?? whole,
      )
      .replace(/_(\d+)/g, '$1')
      .replace(
        /(?<=[A-Za-z\d)\]])[+-](?=$|[\s,;)\]])/g,
        (charge) => inScript(charge, raised) ?? charge,
      )
      .replace(/<=>/g, '⇌')
      .replace(/->/g, '→')
  }

  #readMathCommand(command: Command, context: Context): number {
    const { name, at, end, next, to } = command
    const { depth, pieces } = context
    const mark = mathAccents.get(name)
    const alphabet = alphabets.get(name)
    if (mark !== undefined || alphabet !== undefined) {
      const { from, to: until, next: after } = this.#argument(next, to)
      const text = this.#read(from, until, 'math', depth + 1).trim()
      if (alphabet !== undefined) pieces.push(inAlphabet(text, alphabet))
      else pieces.push(mark === undefined ? text : this.#accented(name, text, mark))
      return after
    }
    if (name === 'frac' || name === 'dfrac' || name === 'tfrac' || name === 'sfrac') {
      const one = this.#argument(next, to)
      const two = this.#argument(one.next, to)
      const [upper, lower] = [one, two].map((each) => {
        return bracketed(this.#read(each.from, each.to, 'math', depth + 1).trim())
      })
      pieces.push(`${upper}/${lower}`)
      return two.next
    }
    if (name === 'sqrt') return this.#readRoot(next, to, context)
    if (name === 'not') {
      const { from, to: until, next: after } = this.#argument(next, to)
      pieces.push(`${this.#read(from, until, 'math', depth + 1).trim()}\u0338`)
      return after
    }
    if (functionNames.has(name)) {
      pieces.push(name === 'bmod' ? 'mod' : name, next > end ? ' ' : '')
      return next
    }
    if (/^[%&#_${}|]$/.test(name)) {
      pieces.push(name === '|' ? '‖' : name)
      return end
    }
    if (name === '\\') {
      pieces.push(' ')
      return end
    }
    return this.#keep(at, end, to, context)
  }

  #accented(name: string, text: string, mark: string): string {
    if (/^[\p{L}\d]\p{M}*$/u.test(text)) return withAccent(text, mark)
    this.#leave(`\\${name}`)
    return `\\${name}{${text}}`
  }

  #readRoot(next: number, to: number, { depth, pieces }: Context): number {
    const close = this.#source.startsWith('[', next) ? this.#bracketEnd(next, to) : undefined
    const degree = close === undefined ? '' : this.#read(next + 1, close, 'math', depth + 1).trim()
    const {
      from,
      to: until,
      next: after,
    } = this.#argument(close === undefined ? next : close + 1, to)
    const text = this.#read(from, until, 'math', depth + 1).trim()
    pieces.push(degree === '' ? '' : this.#script(degree, '^'), `√${bracketed(text)}`)
    return after
  }

  /** What a command takes: what stands in the next braces, else the next sign or command. */
  #argument(given: number, to: number): Extent {
    const at = this.#skipSpaces(given, to)
    if (at >= to) return { from: to, to, next: to }
    if (this.#source.charAt(at) === '{') {
      const end = Math.min(this.#ends.get(at) ?? to, to)
      return { from: at + 1, to: end, next: end + 1 }
    }
    if (this.#source.charAt(at) !== '\\') {
      const width = (this.#source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      return { from: at, to: at + width, next: at + width }
    }
    commandForm.lastIndex = at
    const [whole = '\\', name = ''] = commandForm.exec(this.#source) ?? []
    const end = Math.min(at + whole.length, to)
    const isTaker =
      accents.has(name) || wrappers.has(name) || mathAccents.has(name) || alphabets.has(name)
    const next = isTaker ? this.#argumentEnd(end, to) : end
    return { from: at, to: next, next }
  }

  /** Where the argument of a command ends that is itself an argument; one step is enough. */
  #argumentEnd(given: number, to: number): number {
    const at = this.#skipSpaces(given, to)
    if (this.#source.charAt(at) === '{') return Math.min((this.#ends.get(at) ?? to) + 1, to)
    commandForm.lastIndex = at
    const [whole] = commandForm.exec(this.#source) ?? ['?']
    return Math.min(at + whole.length, to)
  }
}

type Context = { readonly mode: Mode; readonly depth: number; readonly pieces: string[] }

/** A command: from `at` to `end`, with spaces to `next`; what it may take ends at `to`. */
type Command = {
  readonly name: string
  readonly at: number
  readonly end: number
  readonly next: number
  readonly to: number
}

const accentedForm = /^((?:\p{L}|\p{M})\p{M}*)([^]*)$/u
const barredForm = /^((?:\p{L}|\p{M}|\d)\p{M}*)([^]*)$/u
const commandForm = /\\([A-Za-z]+\*?|[^])?/y
const spaceForm = /\s*/y
const operatorForm = /(?:[<>=+-]|\\([A-Za-z]+))\s/y
// A length of TeX, with what it may grow or shrink by.
const lengthForm = /\s*-?[\d.]+\s*[a-z]{2}(?:\s*(?:plus|minus)\s*-?[\d.]+\s*[a-z]{2,5})*\s*/y
const groupForm = /\\(it|em|sl|bf|itshape|bfseries)(?![A-Za-z])/y

/** What sets a text apart. */
const markNames: ReadonlyMap<string, Mark> = new Map([
  ...['emph', 'textit', 'textsl', 'mkbibemph', 'mkbibitalic', 'it', 'em', 'sl', 'itshape'].map(
    (name) => [name, 'italic'] as const,
  ),
  ...['textbf', 'mkbibbold', 'bf', 'bfseries'].map((name) => [name, 'bold'] as const),
])

// A formula that is a raised or lowered text, which Zotero sets upright: `_{\textrm{2}}`.
const scriptForm = /^([_^])(?:\{([\w +-]{1,40})\}|(\w))$/
const uprightForm = /\{\\(?:text|textrm|mathrm|textup|mbox) ?\{([\w +-]{1,40})\}\}$/

// A quotation in single marks, whose end is no apostrophe within a word.
const quoteForm = /^`(?!\{\})[^\s`'}](?:[^`']|'(?=[\p{L}\p{N}]))*'(?![\p{L}\p{N}'])/u

// What a formula has that is more than a row of signs.
const structure = new RegExp(
  String.raw`[\^_]|\\(?:[dt]?frac|[dt]?binom|sqrt|over|math|begin|sum|int|prod|lim|hat|wide|bar|` +
    'tilde|vec|dot|not|text|oper)',
)

const specialForms: Readonly<Record<Mode, RegExp>> = {
  text: /[\\{}$~`'?!-]/g,
  math: /[\\{}$~^_']/g,
  verbatim: /[\\{}$]/g,
}

/** What signs are in an address that LaTeX cannot print as they are there. */
const asciiSigns = new Map([
  ['∼', '~'],
  ['−', '-'],
  ['\\', ''],
])

// What is written as a formula in an address only for the sake of LaTeX.
const escapeForm = /^\s*(?:\\|[_^]|[<>|~-]\s*$)/

const mathOnly = new Set([
  ...mathAccents.keys(),
  ...alphabets.keys(),
  'frac',
  'dfrac',
  'tfrac',
  'sfrac',
  'sqrt',
  'not',
])

/** Where each opening brace has its closing one, and each `$` its other, by their places. */
function pairs(source: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open: { readonly at: number; dollar: number | undefined }[] = [
    { at: -1, dollar: undefined },
  ]
  const form = /[\\{}$]/g
  for (let match = form.exec(source); match !== null; match = form.exec(source)) {
    const { index } = match
    const level = open.at(-1)
    if (match[0] === '\\') form.lastIndex = index + 2
    else if (match[0] === '{') open.push({ at: index, dollar: undefined })
    else if (match[0] === '}') {
      if (open.length > 1) ends.set(open.pop()?.at ?? 0, index)
    } else if (level !== undefined) {
      if (source.startsWith('$$', index)) form.lastIndex = index + 2
      if (level.dollar === undefined) level.dollar = index
      else {
        ends.set(level.dollar, index)
        level.dollar = undefined
      }
    }
  }
  return ends
}

/** `$5 and $6`: between two sums of money stands no formula, and none are words of a text. */
function isMoney(source: string, from: number, end: number): boolean {
  const text = source.slice(from, end)
  if (/^\s|\s$/.test(text) && /(?<!\p{L})\p{L}{2}/u.test(text) && !/[\\^_={}]/.test(text))
    return true
  if (!/\d/.test(source.charAt(from)) || !/\d/.test(source.charAt(end + 1))) return false
  const inner = source.slice(from, end)
  return /\s$/.test(inner) || /\s\p{L}{2,}/u.test(inner.replace(/\\[A-Za-z]+/g, ''))
}

function textIn(wrapper: string, mode: Mode): Mode {
  return mode === 'math' && /^(?:text|mbox|hbox|fbox|emph)/.test(wrapper) ? 'text' : mode
}

/** LaTeX puts accents on an i or a j without its dot. */
function withAccent(letter: string, accent: string): string {
  const dotted = letter.replace(/^ı/, 'i').replace(/^ȷ/, 'j')
  return `${dotted.charAt(0) === letter.charAt(0) ? letter : dotted}${accent}`
}

function inScript(text: string, forms: ReadonlyMap<string, string>): string | undefined {
  const written = Array.from(text).map((sign) => forms.get(sign) ?? (sign === ' ' ? '' : undefined))
  return written.includes(undefined) ? undefined : written.join('')
}

function inAlphabet(text: string, [start, others]: readonly [number, string]): string {
  const forms = Array.from(others)
  return text.replace(/[A-Za-z]/g, (letter) => {
    const at = forms.indexOf(letter)
    if (at >= 0) return forms[at + 1] ?? letter
    const code = letter.charCodeAt(0)
    return String.fromCodePoint(start + (code < 0x61 ? code - 0x41 : code - 0x61 + 26))
  })
}

function bracketed(text: string): string {
  return /^[\p{L}\p{M}\p{N}.]*$/u.test(text) ? text : `(${text})`
}

function characterOf([, hex, octal, decimal]: RegExpExecArray): string {
  const code =
    hex === undefined
      ? octal === undefined
        ? Number(decimal)
        : Number.parseInt(octal, 8)
      : Number.parseInt(hex, 16)
  return code >= 0x20 && code < 0xd800 ? String.fromCodePoint(code) : ''
}
