import test from 'ava'

import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { leftWords } from '#test/src/pages/_left_words.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { audit } from '#src/words/english.ts'
import { openPress, signUp, signUpMember } from '#test/src/pages/_members.ts'
import { openPage } from '#test/src/pages/_reader.ts'
import { openPeopleRegistry } from '#test/src/_people.ts'
import { mint, serveRegistry, work } from '#test/src/_served_registry.ts'

/** Pages of which every word is in the catalogue, beside the page of a work. */
const paths = [
  '/',
  '/no-such-page',
  '/how-it-works',
  '/people',
  '/publishers',
  '/search',
  '/search?q=%CF%80&type=book',
  '/search?in=people&q=%CF%80',
  '/search?in=organizations',
  '/search?q=%CF%80&year=%CF%80',
  '/search?q=%CF%80&sort=%CF%80&page=%CF%80',
  '/auth/sign-in',
  '/auth/sign-up',
  '/auth/reset',
  '/publishers/demo',
  '/statistics',
  '/statistics?q=%CF%80',
  '/data',
  '/search/help',
  '/contact',
  '/privacy',
  '/status',
  '/policy',
  '/verify',
  '/log',
  '/log/entries',
  '/log/entries/0',
  '/log/checkpoints',
  '/log/compare',
  '/log/compare?old=1&new=1',
  '/log?q=%CF%80',
]

// In letters of another script, a record has no words that a page could have left.
const greek = {
  ...work,
  work_title: 'Περὶ φύσεως',
  authors: 'Ηράκλειτος',
  description: 'Τὰ πάντα ῥεῖ',
  publisher_name: 'Εκδότης',
  container_title: 'Βιβλίον',
  volume: '3',
  pages: '1-9',
  keywords: 'ποταμός',
  published_date: '2021-03-12',
  language: 'el',
}

test('pages have no word that is not in the catalogue', async (t) => {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  registry.search.live.start()
  const writer = await registry.key({ scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(registry, writer, greek)
  await caughtUp(registry.search.live)
  const names = [
    'Demo',
    'Press',
    'Ox',
    'Ada',
    'Pen',
    'Bo',
    'demo',
    'registry',
    'example',
    'press',
    'log',
  ]
  for (const path of [...paths, `/${ark}`, `/related?ark=${ark}`, `/similar?ark=${ark}`]) {
    const { body } = await openPage(registry, `${path}${path.includes('?') ? '&' : '?'}lang=en-XA`)
    t.true(body.includes('lang="en-XA" dir="ltr"'), path)
    const left = leftWords(body).filter((word) => !names.includes(word))
    t.deepEqual(left, [], path)
  }
})

/** Pages of a person's account; below them are those of single claims and entries. */
const accountPaths = [
  '',
  '/welcome',
  '/affiliations/new',
  '/education/new',
  '/applications',
  '/keys',
  '/sandbox',
  '/access',
  '/works',
  '/works/find',
  '/works/claim',
  '/writes',
  '/notices',
  '/audit',
  '/security',
  '/mail',
  '/sign-ins',
  '/second-step',
  '/passkeys',
  '/delete',
]

/** What the person has typed or could, and names of programs. */
const typed = ['Ada', 'ada', 'people', 'example', 'Laboratory']
const programs = ['Aegis', 'FAS', 'Google', 'Authenticator']

test('pages of an account have no word that is not in the catalogue', async (t) => {
  const registry = await openPeopleRegistry()
  t.teardown(() => registry.close())
  const { browser } = await registry.person('Ada')
  const left: (readonly [path: string, words: readonly string[]])[] = []
  for (const path of [...accountPaths.map((below) => `/account${below}`), '/organizations']) {
    const { status, body } = await browser.get(`/auth${path}?lang=en-XA`)
    t.is(status, 200, path)
    const words = leftWords(body).filter((word) => ![...typed, ...programs].includes(word))
    if (words.length > 0) left.push([path, words])
  }
  t.deepEqual(left, [])
})

/** Pages of the desk of publishers, below that of an organization. */
const deskPaths = [
  '',
  '/claims',
  '/consortium',
  '/content',
  '/edit',
  '/import',
  '/keys',
  '/members',
  '/webhooks',
  '/works',
  '/changes/undo',
]

test('pages of the desk of publishers have no word that is not in the catalogue', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'owner')
  const left: (readonly [path: string, words: readonly string[]])[] = []
  for (const path of deskPaths) {
    const { status, body } = await browser.get(`/auth/organizations/press${path}?lang=en-XA`)
    t.is(status, 200, path)
    const words = leftWords(body).filter(
      (word) => !['Press', 'press', 'owner', 'example', 'https', 'letters'].includes(word),
    )
    if (words.length > 0) left.push([path, words])
  }
  t.deepEqual(left, [])
  const undo = async (tag: string) => {
    return (await browser.get(`/auth/organizations/press/changes/undo?lang=${tag}`)).body
  }
  t.regex(await undo('es'), /<main [^>]*tabindex="-1">[^]*Desde/)
  // Nobody reads one page in two languages: without words of a desk all of its content is English.
  const french = await undo('fr')
  t.regex(french, /<html lang="fr"[^]*<main [^>]*lang="en" dir="ltr">[^]*\(optional\)/)
  t.notRegex(french, /\(facultatif\)/)
})

/** Pages of administrators, below theirs; `:ppid` is a person. */
const administratorPaths = [
  '',
  '/accounts',
  '/accounts?q=%CF%80',
  '/accounts/:ppid',
  '/accounts/:ppid/change-address',
  '/accounts/:ppid/make-administrator',
  '/accounts/:ppid/remove',
  '/organizations',
  '/organizations?q=%CF%80',
  '/organizations/new',
  '/owners/press',
  '/applications',
  '/keys',
  '/suspensions',
  '/takedowns',
  '/audit',
  '/audit?actor=%CF%80',
  '/happened',
  '/happened?day=%CF%80',
  '/mails',
  '/claims',
  '/reports',
]

test('pages of administrators have no word that is not in the catalogue', async (t) => {
  const registry = await openPress(t)
  const { ppid } = await signUpMember(t, registry, 'owner')
  const root = await signUp(t, registry, 'root')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  // Codes of the audit log stand beside what they mean, as its files have them.
  const examples = ['ada', 'ark', 'example', 'press']
  const known = ['Press', 'owner', 'root', ...examples, ...Object.keys(audit)]
  const left: (readonly [path: string, words: readonly string[]])[] = []
  for (const path of administratorPaths.map((each) => each.replace(':ppid', ppid))) {
    const address = `/auth/admin${path}${path.includes('?') ? '&' : '?'}lang=en-XA`
    const { status, body } = await root.browser.get(address)
    t.is(status, 200, path)
    const words = leftWords(body).filter((word) => !known.includes(word))
    if (words.length > 0) left.push([path, words])
  }
  t.deepEqual(left, [])
})

test('what is English on a page for other readers says that it is', async (t) => {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  const mainOf = async (path: string) => {
    const { body } = await openPage(registry, path)
    return /<main [^>]*>/.exec(body)?.[0] ?? ''
  }
  t.notRegex(await mainOf('/?lang=ar'), /lang=|dir=/)
  t.notRegex(await mainOf('/docs?lang=ar'), /lang=|dir=/)
  const { body } = await openPage(registry, '/docs?lang=en-XA')
  const document = /<div lang="en" dir="ltr">[^]*<\/div><\/article>/
  t.regex(body, document, 'a document is English')
  const frame = body.replace(document, '').replace(/<title>[^<]*/, '')
  t.deepEqual(leftWords(frame), [], 'and all around it is not')
})

test('a word beside the catalogue is found', (t) => {
  t.deepEqual(leftWords('<p title="Açţ">Ĝö ţö <b>Works</b></p><code>code</code>'), ['Works'])
  t.deepEqual(leftWords('<a aria-label="Close it">×</a>'), ['Close', 'it'])
})
