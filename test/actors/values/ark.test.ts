import test from 'ava'
import fc from 'fast-check'
import {
  type Ark,
  betanumerics,
  checkCharacter,
  checkZoneMax,
  formatArk,
  formatDatedArk,
  hasValidCheck,
  parseArk,
  parseArkReference,
  readShownArk,
  repairCandidates,
} from '#actors/values/ark.ts'
import checks from '#test/vectors/ark/valid/check_character.json' with { type: 'json' }
import malformed from '#test/vectors/ark/invalid/malformed.json' with { type: 'json' }
import normalise from '#test/vectors/ark/valid/normalise.json' with { type: 'json' }

for (const { rule, input, normalized, ...expected } of normalise.vectors) {
  test(`normalises ${JSON.stringify(input)}: ${rule}`, (t) => {
    const parsed = parseArk(input)
    if (parsed.type === 'malformed') return t.fail(parsed.reason)
    const { type: _, naan, name, ...others } = parsed
    t.deepEqual(others as object, { normalized, ...expected })
    t.is(`${naan}/${name}`, parsed.ark)
  })
}

for (const { rule, input, reason } of malformed.vectors) {
  test(`refuses ${JSON.stringify(input)}: ${rule}`, (t) => {
    t.deepEqual(parseArk(input), { type: 'malformed', reason })
  })
}

test('names that differ in case are two', (t) => {
  t.notDeepEqual(parseArk('ark:12345/X6'), parseArk('ark:12345/x6'))
})

test('refuses a text beyond its greatest length', (t) => {
  const reason = 'it has more than 2048 characters'
  t.deepEqual(parseArk(`ark:12345/x${'-'.repeat(2_038)}`), { type: 'malformed', reason })
  t.is(parseArk(`ark:12345/x${'-'.repeat(2_037)}`).type, 'ark')
})

test('eight digits that are no day, or stand alone, are a name', (t) => {
  for (const [input, ark] of [
    ['ark:/99999/31022026/k2bcdf', '99999/31022026'],
    ['ark:/99999/00012026/k2bcdf', '99999/00012026'],
    ['ark:/99999/21112026', '99999/21112026'],
    ['ark:/99999/21112026.pdf', '99999/21112026'],
  ] as const) {
    const parsed = parseArk(input)
    t.like(parsed, { type: 'ark', ark }, input)
    t.false('date' in parsed, input)
  }
})

test('the dated form has qualifiers of its own', (t) => {
  t.like(parseArk('ark:/99999/29022024/k2bcdf/c3.pdf'), {
    ark: '99999/k2bcdf',
    date: '2024-02-29',
    components: '/c3',
    variants: '.pdf',
  })
})

test('formats both forms', (t) => {
  t.is(formatArk('12345', 'x6np1wh8k'), 'ark:/12345/x6np1wh8k')
  const dated = formatDatedArk('12345', 'x6np1wh8k', '2026-11-21T10:00:00.000Z')
  t.is(dated, 'ark:/12345/21112026/x6np1wh8k')
  t.like(parseArk(dated), { ark: '12345/x6np1wh8k', date: '2026-11-21' })
})

test('a path may leave out the label and the NAAN', (t) => {
  const ark = '12345/x6np1wh8k'
  for (const reference of [
    'x6np1wh8k',
    'x6np-1wh8k?info',
    '12345/x6np1wh8k',
    'ark:12345/x6np1wh8k',
    'https://n2t.net/ark:/12345/x6np1wh8k',
  ]) {
    t.like(parseArkReference(reference, '12345'), { ark }, reference)
  }
  t.like(parseArkReference('99999/k2x', '12345'), { ark: '99999/k2x' })
  t.is(parseArkReference('', '12345').type, 'malformed')
})

const betanumeric = fc.constantFrom(...betanumerics)
const naans = fc.string({ unit: betanumeric, minLength: 1, maxLength: 16 })
const names = fc.string({ unit: betanumeric, minLength: 1, maxLength: 12 })
const arkUnits = fc.constantFrom(...'0123456789abcxyzXYZ=~*+@_$./%-\u2013 \n?:F')

test('property: what is normalised stays as it is', (t) => {
  const texts = fc.string({ unit: arkUnits, maxLength: 40 })
  fc.assert(
    fc.property(naans, texts, (naan, text) => {
      const once = parseArk(`ark:/${naan}/${text}`)
      if (once.type === 'malformed') return
      const { inflection: _, ...parsed } = once
      t.deepEqual(parseArk(once.normalized) as object, parsed)
    }),
  )
})

test('property: decoration and resolvers do not change an ARK', (t) => {
  const decoration = fc.constantFrom('', '-', '--', '\u2010', '\u2015', ' ', '\n')
  const resolver = fc.constantFrom('', 'https://n2t.net/', 'http://h/a-b/')
  const label = fc.constantFrom('ark:', 'ark:/', 'ARK:', 'Ark:/')
  fc.assert(
    fc.property(
      naans,
      names,
      fc.array(decoration, { minLength: 30, maxLength: 30 }),
      resolver,
      label,
      (naan, name, decorations, before, spelled) => {
        const body = [...`${naan.toUpperCase()}/${name}`]
        const decorated = body.map((character, index) => character + (decorations[index] ?? ''))
        const parsed = parseArk(before + spelled + decorated.join(''))
        t.like(parsed, { type: 'ark', ark: `${naan}/${name}` })
      },
    ),
  )
})

for (const { zone, check } of checks.vectors) {
  test(`the check character of ${zone} is ${check}`, (t) => {
    t.is(checkCharacter(zone), check)
    t.true(hasValidCheck(zone + check))
  })
}

/** An ARK with its check character, short enough for every weight to count. */
const checkedArks = fc
  .tuple(fc.string({ unit: betanumeric, minLength: 5, maxLength: 9 }), names)
  .map(([naan, name]) => `${naan}/${name}`)
  .filter((zone) => zone.length <= checkZoneMax)
  .map((zone) => zone + checkCharacter(zone))

test('property: every substitution of one character is detected', (t) => {
  fc.assert(
    fc.property(checkedArks, (ark) => {
      t.true(hasValidCheck(ark))
      for (const [at, character] of [...ark].entries()) {
        for (const other of betanumerics) {
          const isDifferent = character !== '/' && other !== character
          if (isDifferent) t.false(hasValidCheck(ark.slice(0, at) + other + ark.slice(at + 1)))
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('property: every swap of two neighbours is detected', (t) => {
  fc.assert(
    fc.property(checkedArks, (ark) => {
      for (let at = 0; at + 1 < ark.length; at++) {
        const pair = ark.slice(at, at + 2)
        const swapped = ark.slice(0, at) + pair.charAt(1) + pair.charAt(0) + ark.slice(at + 2)
        // A zero and the slash count the same, so they change places unseen; the parser sees it.
        const isSame = pair.charAt(0) === pair.charAt(1) || /^(?:\/0|0\/)$/.test(pair)
        if (!isSame) t.false(hasValidCheck(swapped), swapped)
      }
    }),
  )
})

test('property: repairs hold what was meant, and only ARKs with a right check', (t) => {
  const positions = fc.nat(100)
  fc.assert(
    fc.property(checkedArks, positions, betanumeric, (ark, position, character) => {
      const nameAt = ark.indexOf('/') + 1
      const at = nameAt + (position % (ark.length - nameAt))
      const wrong = ark.slice(0, at) + character + ark.slice(at + 1)
      const candidates: readonly string[] = repairCandidates(wrong)
      if (wrong !== ark) t.true(candidates.includes(ark), `${wrong} was ${ark}`)
      t.true(candidates.every(hasValidCheck))
      t.false(candidates.includes(wrong))
      t.is(new Set(candidates).size, candidates.length)
    }),
  )
})

test('repairs a name in capitals and one with a letter that is none', (t) => {
  t.true(repairCandidates('12345/X6NP1WH8K').includes('12345/x6np1wh8k' as never))
  t.true(repairCandidates('12345/x6npLwh8k').includes('12345/x6np1wh8k' as never))
})

test('property: an ARK that is spelled as ours are shown is read as any other', (t) => {
  const characters = fc.constantFrom(...'0123456789bcxz/.-%A:'.split(''))
  const texts = fc.string({ unit: characters, maxLength: 12 })
  const prefixes = fc.constantFrom('ark:/12345/', 'ark:12345/', 'ARK:/12345/', '12345/', 'ark:/')
  let shown = 0
  fc.assert(
    fc.property(prefixes, texts, (prefix, text) => {
      const ark = readShownArk(prefix + text)
      if (ark === undefined) return true
      shown += 1
      const parsed = parseArkReference(prefix + text, '99999')
      if (parsed.type === 'malformed') return false
      const { date, components, variants } = parsed
      return parsed.ark === ark && date === undefined && components + variants === ''
    }),
    { numRuns: 2_000 },
  )
  t.true(shown > 0)
  t.is(readShownArk('ark:/12345/k2abc'), '12345/k2abc' as Ark)
})
