import fc from 'fast-check'

const [surrogatesFrom, surrogates, last] = [0xd800, 0x800, 0x10ffff]

/**
 * What `unit: 'binary'` draws, any character but halves of a pair, without the table of all 1.1
 * million of them that fast-check makes for it: a second of the processor and 180 MB a thread.
 */
export const anyCharacter = fc.nat({ max: last - surrogates }).map(
  (at) => String.fromCodePoint(at < surrogatesFrom ? at : at + surrogates),
  (character) => {
    const [at = 0, ...rest] = Array.from(String(character), (one) => one.codePointAt(0) ?? 0)
    if (rest.length > 0 || character === '') throw new Error('it is not one character')
    return at < surrogatesFrom ? at : at - surrogates
  },
)
