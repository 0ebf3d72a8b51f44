import { LRUCache } from 'lru-cache'
import temml from 'temml'

import { cleanMathml } from '#actors/values/markup.ts'

/** Characters of a formula that is set: within this, it takes some milliseconds at most. */
const sourceCharactersMax = 1_000
const shownMax = 2_000

// Commands that define commands, by which a short formula can become a very long one.
const defining =
  /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![A-Za-z])/

const settings = {
  throwOnError: true,
  strict: false,
  // No links, images, classes or styles of others.
  trust: false,
  maxExpand: 100,
  maxSize: [10, 10] as [number, number],
}

const shown = new LRUCache<string, { readonly mathml: string | undefined }>({ max: shownMax })

/**
 * A formula of TeX, without dollars, as an element `math` of MathML that has nothing but what a
 * markup may have; undefined where it is too long, defines commands, or is no TeX that is known.
 */
export function texMathml(source: string): string | undefined {
  const known = shown.get(source)
  if (known !== undefined) return known.mathml
  const mathml = readTex(source)
  shown.set(source, { mathml })
  return mathml
}

function readTex(source: string): string | undefined {
  if (source.length > sourceCharactersMax || defining.test(source)) return undefined
  try {
    return cleanMathml(temml.renderToString(source, settings))
  } catch {
    // It throws a ParseError where it does not know what is meant; nothing else depends on it.
    return undefined
  }
}
