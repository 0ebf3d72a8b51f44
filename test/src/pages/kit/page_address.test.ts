import test from 'ava'
import fc from 'fast-check'
import { readReturnPath } from '#src/pages/kit/page_address.ts'

const bare = 'https://registry.example'
const below = 'https://registry.example/auth'

for (const [text, path] of [
  ['/account', '/account'],
  ['/account?done=saved', '/account?done=saved'],
  ['/interaction/a_b?x=%2F%2Fevil.example', '/interaction/a_b?x=%2F%2Fevil.example'],
  ['https://registry.example/account', '/account'],
  ['https://user:secret@registry.example/account', '/account'],
  ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
  ['/account#part', '/account'],
  // Without slashes it is a path of the host it stands on.
  ['https:evil.example', '/evil.example'],
] as const) {
  test(`${text} leads to ${path}`, (t) => {
    t.is(readReturnPath(text, bare), path)
  })
}

for (const text of [
  '',
  '//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/a/b/../..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/.\\/evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.\t//evil.example',
  '///evil.example',
  '////evil.example',
  '/.//',
  'https:///evil.example',
  'https://evil.example/account',
  'https://registry.example@evil.example/account',
  'https://registry.example.evil.example/account',
  'https://registry.example:444/account',
  'https://registry.example//evil.example',
  'https://registry.example/.//evil.example',
  'http://registry.example/account',
  'blob:https://registry.example/account',
  'javascript:alert(1)',
  'data:text/html,a',
]) {
  test(`${JSON.stringify(text)} leads nowhere`, (t) => {
    t.is(readReturnPath(text, bare), undefined)
  })
}

test('what is not below the path of the pages leads nowhere', (t) => {
  t.is(readReturnPath('/auth/account', below), '/account')
  for (const text of [
    '/',
    '/auth',
    '/authority',
    '/v1/works',
    '/auth/../v1/works',
    '/auth/%2e%2e/v1/works',
    '/auth/.//evil.example',
    '/auth//evil.example',
  ]) {
    t.is(readReturnPath(text, below), undefined, text)
  }
})

test('whatever is sent, a browser stays where it is', (t) => {
  const parts = ['/', '\\', '.', '%2e', '..', '//', '@', ':', '\t', 'https:', 'evil.example', '?']
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''))
  fc.assert(
    fc.property(texts, fc.constantFrom(bare, below), (text, authUrl) => {
      const path = readReturnPath(text, authUrl)
      if (path === undefined) return
      const prefix = new URL(authUrl).pathname.replace(/\/$/, '')
      const { href } = new URL(prefix + path, 'https://registry.example/auth/sign-in')
      t.true(href.startsWith(`${authUrl}/`), JSON.stringify(text))
      t.is(readReturnPath(prefix + path, authUrl), path, 'it is read as it was written')
    }),
  )
})
