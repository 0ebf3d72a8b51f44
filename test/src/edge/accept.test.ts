import test from 'ava'

import { chooseMediaType } from '#src/edge/accept.ts'

const offered = ['text/html', 'application/json', 'text/plain'] as const

/** What a header chooses, in a word. */
function choice(accept?: string): string {
  const chosen = chooseMediaType(accept, offered)
  return chosen.type === 'named' ? chosen.mediaType : chosen.type
}

const cases: [header: string | undefined, expected: string][] = [
  [undefined, 'any'],
  ['', 'any'],
  ['*/*', 'any'],
  ['*/*;q=0.1', 'any'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['application/json', 'application/json'],
  ['APPLICATION/JSON', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['text/plain, application/json', 'text/plain'],
  ['text/html;q=0.5, application/json', 'application/json'],
  ['text/html;q=0.500, application/json;q=0.5', 'text/html'],
  ['text/*', 'text/html'],
  ['text/*, text/html;q=0', 'text/plain'],
  ['application/*', 'application/json'],
  ['image/webp,*/*', 'any'],
  ['image/webp', 'none'],
  ['application/vnd.citationstyles.csl+json', 'none'],
  ['application/vnd.citationstyles.csl+json, */*;q=0.1', 'any'],
  ['*/*;q=0', 'none'],
  ['text/html;q=0', 'none'],
  ['application/json;q=2', 'any'],
  ['application/json;q=abc, text/plain', 'text/plain'],
  ['*/json', 'any'],
  [', ,;;,/,=', 'any'],
  ['x'.repeat(10_000), 'any'],
  ['text/html,'.repeat(1_000), 'text/html'],
]

for (const [header, expected] of cases) {
  test(`Accept ${JSON.stringify(header)?.slice(0, 70)} chooses ${expected}`, (t) => {
    t.is(choice(header), expected)
  })
}

test('parameters of the media type that was chosen are told', (t) => {
  const header = 'text/plain;q=0.5;style=x, TEXT/html; Style="APA" ; locale=en-US;q=0.9; =; a'
  t.deepEqual(chooseMediaType(header, offered), {
    type: 'named',
    mediaType: 'text/html',
    parameters: { style: 'apa', locale: 'en-us' },
  })
})
