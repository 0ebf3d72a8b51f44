import test from 'ava'

import { shapeOf } from '#actors/values/field_table.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { recordValues } from '#src/pages/organization/record_form.ts'
import { workFields } from '#src/pages/organization/work_form.ts'
import { english } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { leftWords } from '#test/src/pages/_left_words.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { audit } from '#src/words/english.ts'
import { openPress, signUp, signUpMember } from '#test/src/pages/_members.ts'
import { openPage } from '#test/src/pages/_reader.ts'
import { until } from '#test/_until.ts'
import { BulkRunner } from '#src/use_cases/bulk_change_jobs.ts'
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
  '/applications',
  '/changes',
  '/changes/undo',
  '/history',
]

test('pages of the desk of publishers have no word that is not in the catalogue', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'owner')
  const left: (readonly [path: string, words: readonly string[]])[] = []
  for (const path of deskPaths) {
    const { status, body } = await browser.get(`/auth/organizations/press${path}?lang=en-XA`)
    t.is(status, 200, path)
    const words = leftWords(body).filter(
      (word) => !['Press', 'press', 'owner', 'example', 'https', 'letters', 'BY'].includes(word),
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

test('the pages of one application and of one webhook have no word beside it', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'owner')
  const desk = '/auth/organizations/press'
  const wish = { name: 'Θ', kind: 'confidential', redirect_uris: 'https://press.example/' }
  const app = await browser.submit(`${desk}/applications`, { ...wish, 'svc:works:write': 'on' })
  const hook = { url: 'https://press.example/', 'work.created': 'on', environment: 'live' }
  const webhook = await browser.submit(`${desk}/webhooks`, hook)
  const names = ['Press', 'press', 'owner', 'example', 'https']
  for (const { status, headers } of [app, webhook]) {
    t.is(status, 303)
    const own = String(headers.location).replace(/\?.*/, '')
    const ends = own.includes('/applications/') ? 'revoke' : 'remove'
    for (const path of [own, `${own}?done=changed`, `${own}/${ends}`]) {
      const { body } = await browser.get(`${path}${path.includes('?') ? '&' : '?'}lang=en-XA`)
      t.regex(body, /<html lang="en-XA"[^]*<main [^>]*tabindex="-1">/, path)
      const left = leftWords(body).filter((word) => !names.includes(word))
      t.deepEqual(left, [], path)
    }
  }
})

/** Choices that are called as they are written, which are names of schemes. */
const schemes = /<option value="([^"]*)"[^>]*>\1</g

test('the form of a work has no word that is not in the catalogue', (t) => {
  const { readingOrder } = shapeOf(metadataFields)
  const examples = Object.fromEntries(readingOrder.map(({ name, example }) => [name, example]))
  const values = new Map([...recordValues(examples), ['author_2_suffix', 'Jr.']])
  const language = languageOf('en-XA') ?? english
  // What was typed is not of the catalogue, and neither are names of schemes.
  const form = workFields({ values, faults: [] })
    .html(language)
    .replaceAll(/(<textarea[^>]*>)[^<]*/g, '$1')
    .replaceAll(schemes, '<')
  t.deepEqual(leftWords(form), [])
})

const greekForm = {
  work_title: 'Περὶ φύσεως',
  work_type: 'book',
  author_1_family: 'Ηράκλειτος',
  work_url: 'https://example.org/1.pdf',
  existing_doi: '10.1234/1',
  language: 'Ελληνικά\u200b',
}

/** What a page carries along unseen. */
function hiddenIn(body: string): Record<string, string> {
  const found = body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.replaceAll(/&(?:quot|#34);/g, '"')]),
  )
}

test('pages that register, change and withdraw a work have no word beside it', async (t) => {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'owner')
  const works = '/auth/organizations/press/works'
  const names = ['Press', 'press', 'owner', 'example', 'https', 'letters', 'pdf', 'el', 'BY', 'and']
  let last = ''
  const look = async (path: string, fields?: Record<string, string>) => {
    const address = `${works}${path}?lang=en-XA`
    const { csrf = '' } = hiddenIn(last)
    const answer = await (fields === undefined
      ? browser.get(address)
      : browser.post(address, { ...fields, csrf }))
    last = answer.body
    t.true([200, 422].includes(answer.status), path)
    t.regex(last, /<html lang="en-XA"[^]*<main [^>]*tabindex="-1">/, path)
    const words = leftWords(last.replaceAll(schemes, '<'))
    const left = words.filter((word) => !names.includes(word))
    t.deepEqual(left, [], path)
    return last
  }
  await look('/new')
  await look('/new', { author_1_given: 'Α', published_date: 'Α', author_2_orcid: '1' })
  await look('/fill', { metadata: '' })
  await look('/new', greekForm)
  const registered = await look('/register', hiddenIn(last))
  const [, name = ''] = /ark:\/12345\/(\w+)/.exec(registered) ?? []
  t.not(name, '')
  await look('/new', greekForm)
  for (const way of ['edit', 'new-version']) {
    await look(`/${name}/${way}`)
    await look(`/${name}/${way}`, { ...greekForm, language: 'el', work_type: 'lecture' })
    await look(`/${name}/${way}`, { ...greekForm, volume: way === 'edit' ? '3' : '4' })
    t.regex(await look(`/${name}/${way}/register`, hiddenIn(last)), /flash-success/)
  }
  const press = '/auth/organizations/press'
  const change = async (fields: Record<string, string>) => {
    const sent = await browser.submit(`${press}/changes`, fields)
    return String(sent.headers.location).replace(press, '/..')
  }
  await look('/../changes', { works: 'ark:/12345/x', in_q: 'α', license: 'CC0-1.0' })
  const job = await change({ license: 'CC0-1.0', work_type: 'book', works: `ark:/12345/${name}` })
  await look(job)
  await browser.submit(`${press}/changes`, {}, `${works}${job}/start`)
  await look(job)
  await look(`${job}/left`)
  const { environments, bulkChanges } = registry
  const runner = new BulkRunner({
    environments,
    changes: bulkChanges,
    worksPerMinute: 60_000,
    isAdministrator: () => false,
    report: t.log,
  })
  await runner.resume()
  const ended = () => bulkChanges.find('press', job.split('/').at(-1) ?? '')?.state === 'done'
  await until('the change ends', ended)
  await runner.close()
  t.regex(await look(job), /<td[^>]*>[^<]*4<\/td>/)
  await look(`/${name}/withdraw`)
  await look(`/${name}/withdraw`, hiddenIn(last))
  const sure = { ...hiddenIn(last), reason: 'test', confirmed: 'on' }
  t.regex(await look(`/${name}/withdraw`, sure), /flash-success/)
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
  const known = ['Press', 'owner', 'root', ppid, ...examples, ...Object.keys(audit)]
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
