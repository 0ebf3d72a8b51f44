/** What a `{` or `"` of BibTeX is closed by, as BibTeX has it, or as LaTeX reads `\}`. */
export type DelimiterRule = 'plain' | 'escaping'

const markForms: Readonly<Record<DelimiterRule, RegExp>> = {
  plain: /[{}"]/g,
  escaping: /\\[^]|[{}"]/g,
}

/**
 * Where what is open at any place of a range is closed. Each sign is looked at once, from the end
 * on, however often it is asked for: a range of braces without ends costs no more than another.
 */
export class Delimiters {
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
