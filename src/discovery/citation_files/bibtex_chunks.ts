/** A part of a BibTeX file that begins with an `@`. */
export type BibtexChunk = {
  readonly kind: 'entry' | 'string' | 'preamble' | 'comment'
  /** Where it begins, from 1. */
  readonly line: number
  readonly text: string
  /** The key of an entry; empty if it has none. */
  readonly key: string
  /** What stands outside all values: names of fields, abbreviations and numbers. */
  readonly outline: string
  /** Whether its braces are closed. */
  readonly isClosed: boolean
}

const openingForm = /@\s*([A-Za-z_][\w:+-]*)\s*[{(]/g

// A line that can only be the beginning of another entry: what stands before it was not closed.
const nextEntryForm = /\n[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][ \t]*[^\s{}(),="]+[ \t]*,/y

/**
 * The parts of a BibTeX file, in order. What stands between them is a comment. A part whose braces
 * are not closed ends where the next entry begins, so that it spoils nothing but itself.
 */
export function splitBibtex(text: string): readonly BibtexChunk[] {
  const chunks: BibtexChunk[] = []
  const opening = new RegExp(openingForm)
  let line = 1
  let counted = 0
  let end = 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index
    if (!beginsPart(text, start, end)) continue
    const { outline, ...extent } = measure(text, start + match[0].length)
    line += countLines(text, counted, start)
    counted = start
    end = extent.end
    const kind = kindOf(match[1] ?? '')
    const key = kind === 'entry' ? (/^[^,\s})]*/.exec(outline.trimStart())?.[0] ?? '') : ''
    chunks.push({
      kind,
      line,
      text: text.slice(start, end),
      key,
      outline,
      isClosed: extent.isClosed,
    })
    opening.lastIndex = end
  }
  return chunks
}

/** Whether an `@` stands at the beginning of a line, or right behind the part before it. */
function beginsPart(text: string, start: number, end: number): boolean {
  let at = start - 1
  while (at >= end && /[^\S\n]/.test(text[at] ?? '')) at -= 1
  return at < end || text[at] === '\n'
}

function kindOf(type: string): BibtexChunk['kind'] {
  const name = type.toLowerCase()
  return name === 'string' || name === 'preamble' || name === 'comment' ? name : 'entry'
}

/** Finds the end of a part from behind its first brace on, by the rules that values are read by. */
function measure(
  text: string,
  start: number,
): { readonly end: number; readonly isClosed: boolean; readonly outline: string } {
  let depth = 1
  let isQuoted = false
  const outline: string[] = []
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    const isOutside = depth === 1 && !isQuoted
    if (character === '\\' && !isOutside && /[\\{}]/.test(text[at + 1] ?? '')) at += 1
    else if (character === '%' && isOutside) at = lineEnd(text, at) - 1
    else if (character === '{') depth += 1
    else if (character === '}' || (character === ')' && isOutside)) depth -= 1
    else if (character === '"' && depth === 1) isQuoted = !isQuoted
    else if (character === '\n' && isNextEntry(text, at)) return unclosed(at, outline)
    else if (isOutside) outline.push(character)
    if (depth === 0) return { end: at + 1, isClosed: true, outline: outline.join('') }
  }
  return unclosed(text.length, outline)
}

// Between fields, a comment goes to the end of its line.
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function unclosed(end: number, outline: readonly string[]) {
  return { end, isClosed: false, outline: outline.join('') }
}

function isNextEntry(text: string, at: number): boolean {
  nextEntryForm.lastIndex = at
  return nextEntryForm.test(text)
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    lines += 1
  }
  return lines
}
