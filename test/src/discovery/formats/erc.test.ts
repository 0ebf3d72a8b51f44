import test from 'ava'

import { type ErcRecord, formatErc } from '#src/discovery/formats/erc.ts'

const work: ErcRecord = {
  authors: [{ name: 'Ada Lovelace', given: 'Ada', family: 'Lovelace' }, { name: 'Menabrea' }],
  title: 'Notes by the translator',
  publishedDate: '1843-09',
  url: 'https://example.org/ark:/12345/k2x',
  updatedAt: '2026-11-21T10:20:30.000Z',
}

test('a citation says who, what, when and where', (t) => {
  t.is(
    formatErc(work),
    [
      'erc:',
      'who: Lovelace, Ada; Menabrea',
      'what: Notes by the translator',
      'when: 184309',
      'where: https://example.org/ark:/12345/k2x',
      '',
    ].join('\n'),
  )
})

test('with a commitment it says who keeps the identifier, and who describes the work', (t) => {
  const policyUrl = 'https://example.org/policy'
  const commitment = { repository: 'Demo', policyUrl, isPermanent: true }
  t.is(
    formatErc(work, commitment),
    formatErc(work) +
      [
        'erc-support:',
        'who: Demo',
        'what: Permanent: Dynamic Content:',
        'when: 20261121',
        'where: https://example.org/policy',
        'meta-erc:',
        'who: Demo',
        'what: This description',
        'when: 20261121',
        'where: https://example.org/ark:/12345/k2x?info',
        '',
      ].join('\n'),
  )
})

test('of what is not meant to last, nothing is promised', (t) => {
  const commitment = { repository: 'Demo', policyUrl: '', isPermanent: false }
  t.true(formatErc(work, commitment).includes('\nwhat: Not Guaranteed\n'))
})

test('an unknown date has its code, and a withdrawal its reason', (t) => {
  const withdrawal = { reason: 'fraud', at: '2026-12-24T00:00:00.000Z' }
  const erc = formatErc({ ...work, publishedDate: undefined, withdrawal })
  t.true(erc.includes('\nwhen: (:unav)\n'))
  t.true(erc.endsWith('\nnote: withdrawn on 20261224 (fraud)\n'))
})

test('line ends and percent signs in a value cannot start another line', (t) => {
  const erc = formatErc({ ...work, title: '100%\r\nwho: Mallory' })
  t.true(erc.includes('\nwhat: 100%25%0D%0Awho: Mallory\n'))
  t.is(erc.split('\n').length, 6)
})
