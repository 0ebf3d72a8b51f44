import { assert } from '#log/tlog/errors.ts'

/** Raised letters and signs as Unicode has them. */
export const raised = new Map(
  Array.from('0123456789+-−–=()niabcdefghjklmoprstuvwxyz').map((letter, index) => {
    return [letter, Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ')[index] ?? '']
  }),
)
/** Lowered ones. */
export const lowered = new Map(
  Array.from('0123456789+-−=()aehijklmnoprstuvxβγρφχ').map((letter, index) => {
    return [letter, Array.from('₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ')[index] ?? '']
  }),
)

/** A text in such signs; undefined if one is missing. */
export function inSigns(text: string, signs: ReadonlyMap<string, string>): string | undefined {
  const written = Array.from(text).map((letter) => signs.get(letter))
  return written.includes(undefined) ? undefined : written.join('')
}

type MathNode = { readonly name: string; readonly children: MathNode[]; text: string }

const mathTag = /<(\/)?(?:mml:)?([a-z]+)\b([^<>]*?)(\/)?>/gi
const mathDepthMax = 60

/** A formula of MathML as a line of text. Spaces between its elements say nothing. */
export function mathText(source: string): string {
  const root: MathNode = { name: 'math', children: [], text: '' }
  const path = [root]
  let at = 0
  for (const match of source.matchAll(mathTag)) {
    const node = path.at(-1)
    assert(node !== undefined, 'the root is never left')
    node.text += source.slice(at, match.index)
    at = match.index + match[0].length
    const [, isEnd, given = '', , isAlone] = match
    const name = given.toLowerCase()
    if (isEnd !== undefined) {
      if (path.length > 1 && node.name === name) path.pop()
      continue
    }
    const child: MathNode = { name, children: [], text: '' }
    node.children.push(child)
    if (isAlone === undefined && path.length < mathDepthMax) path.push(child)
  }
  root.text += source.slice(at)
  return writeMath(root).replace(/\s+/g, ' ').trim()
}

function writeMath({ name, children, text }: MathNode): string {
  const [first = '', second = '', third = ''] = children.map(writeMath)
  switch (name) {
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return ''
    case 'mspace':
      return ' '
    case 'msup':
      return first + raise(second)
    case 'msub':
      return first + lower(second, first)
    case 'msubsup':
      return first + lower(second, '') + raise(third)
    case 'mfrac':
      return `${bracket(first)}/${bracket(second)}`
    case 'msqrt':
      return `√${bracket(children.map(writeMath).join(''))}`
    case 'mroot':
      return `${inSigns(second.trim(), raised) ?? second}√${bracket(first)}`
    case 'mover':
      return first + (accents[second.trim()] ?? second)
    case 'munder':
    case 'munderover':
      return first + lower(second, '') + (third === '' ? '' : raise(third))
    case 'mfenced':
      return `(${children.map(writeMath).join(',')})`
    default:
      return children.length === 0
        ? text.trim() || text.slice(0, 1)
        : children.map(writeMath).join('')
  }
}

const accents: Readonly<Record<string, string>> = {
  '¯': '\u0304',
  '‾': '\u0304',
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '˙': '\u0307',
  '¨': '\u0308',
  '→': '\u20d7',
}

function raise(text: string): string {
  return inSigns(text, raised) ?? `^${bracket(text)}`
}

function lower(text: string, before: string): string {
  if (/^\d+$/.test(text) && /[A-Za-z)\]]$/.test(before)) return text
  return inSigns(text, lowered) ?? `_${bracket(text)}`
}

/** A text in brackets, unless it is one word. */
export function bracket(text: string): string {
  return Array.from(text).length > 1 && !/^[\p{L}\d.]+$/u.test(text) ? `(${text})` : text
}
