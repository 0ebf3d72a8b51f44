import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { foundIn, foundInFiles, type Planted, plantedWords } from '#test/actors/_erasure.ts'
import {
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'

const redirectUri = 'https://press.example/back'
const scopes = ['openid', 'svc:works:write', 'svc:affiliations:read', 'svc:affiliations:write']

type NewApplication = {
  readonly application: { readonly client_id: string }
  readonly secret: string
}

type Profile = {
  readonly works_count: number
  readonly claims: readonly { readonly source: unknown }[]
  readonly affiliations: readonly { readonly source: unknown; readonly organization: string }[]
}

/** The forms of a page that take something back. */
function undoesIn(body: string): string[] {
  const forms = body.matchAll(/action="(\/auth\/account\/writes\/\d+\/undo)"/g)
  return [...forms].map(([, action = '']) => action)
}

/** What only the person says, and is never anybody else's. */
function plantedPerson(words: Planted) {
  const email = `${wordOf(words.doi)}@people.example`
  return { name: words.author, email, password: words.note }
}

/** The word of a planted text. */
function wordOf(text: string): string {
  return /[a-z0-9]{24}$/.exec(text)?.[0] ?? ''
}

/** Registers an application of the demonstration organization. */
async function registerApplication(t: ExecutionContext, settings: Settings) {
  const create = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const made = await runJson<NewApplication>(t, [...create, '--organization', 'demo'], settings)
  return { client_id: made.application.client_id, secret: made.secret, redirectUri }
}

/** Takes back all that was written for a person; all of it stays listed. */
async function undoAll(t: ExecutionContext, browser: JarBrowser, written: string): Promise<void> {
  const writes = await browser.get('/auth/account/writes')
  t.true(writes.body.includes('Demonstration, through Press Desk'))
  t.true(writes.body.includes(written), 'the difference is shown')
  for (const action of undoesIn(writes.body)) await browser.postThen(action)
  const history = await browser.get('/auth/account/writes')
  t.deepEqual(undoesIn(history.body), [])
  t.true(history.body.includes(written), 'the history stays')
}

/** Waits until the search index, which follows the journal, has forgotten a person. */
function untilForgotten(folder: string, words: Planted): Promise<void> {
  const isForgotten = async () => (await foundInFiles(folder, words)).length === 0
  return until('the search index knows the person no more', isForgotten)
}

/** Deletes an account, after a look at all that is held of it. */
async function leave(t: ExecutionContext, browser: JarBrowser, words: Planted): Promise<void> {
  const held = await browser.get('/auth/account/export')
  t.is(held.status, 200)
  const { name, email, password } = plantedPerson(words)
  for (const text of [name, email, words.title, words.description]) {
    t.true(held.body.includes(text), text)
  }
  t.false(held.body.includes(wordOf(password)), 'a password is not held')
  await browser.get('/auth/account/delete')
  await browser.postThen('/auth/account/delete', { password })
  t.is((await browser.get('/auth/account')).status, 303)
}

test('from the sign-up to the last trace of a person', async (t) => {
  const dataDir = await newDataDir(t)
  const settings: Settings = { DATA_DIR: dataDir, LOG_LEVEL: 'trace', RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const { base_url: origin } = server.started
  const words = plantedWords()
  const person = plantedPerson(words)

  const browser = new JarBrowser(Number(new URL(origin).port), origin)
  const ppid = await browser.signUp(person)
  await browser.get('/auth/account')
  await browser.postThen('/auth/account', { name: person.name, bio: words.description })

  const application = await registerApplication(t, settings)
  const { client_id } = application
  const { access_token: token } = await browser.permit(application, scopes)

  const work = await request(server, '/api/v1/works', { key: token, body: newWork('A work') })
  t.is(work.status, 201)
  const body = { organization: words.title, role: 'Professor' }
  const added = await request(server, '/api/v1/user/affiliations', { key: token, body })
  t.is(added.status, 201)

  const read = async () => (await request<Profile>(server, `/api/v1/people/${ppid}`)).body
  const source = {
    type: 'organization',
    id: 'demo',
    name: 'Demonstration',
    via: 'oauth',
    client_id,
  }
  const profile = await read()
  t.is(profile.works_count, 1)
  t.deepEqual(profile.claims[0]?.source, source)
  t.like(profile.affiliations[0], { organization: words.title, source })

  await undoAll(t, browser, words.title)
  t.like(await read(), { works_count: 0, affiliations: [] })

  const applications = await browser.get('/auth/account/applications')
  const [, revoke = ''] = /action="([^"]+\/revoke)"/.exec(applications.body) ?? []
  await browser.postThen(revoke)
  const late = await request(server, '/api/v1/user/affiliations', { key: token, body })
  t.is(late.status, 401, 'the next write is refused')

  // What is public is in the search index as long as it is public; all else is sealed.
  for (const store of ['identity', 'live', 'oauth', 'sandbox']) {
    t.deepEqual(await foundInFiles(path.join(dataDir, store), words), [], store)
  }
  await leave(t, browser, words)
  t.is((await request(server, `/api/v1/people/${ppid}`)).status, 410)
  await untilForgotten(path.join(dataDir, 'search'), words)
  const { stderr } = await server.end('SIGTERM')
  t.true(stderr.includes('/auth/account/delete'), 'requests are logged')
  t.deepEqual(foundIn(stderr, words), [])
  t.deepEqual(await foundInFiles(path.dirname(dataDir), words), [])
  t.false(stderr.includes(token))

  // The work, its claim that was taken back and all proofs are as they should be.
  const audit = await runArklog(t, ['audit'], settings)
  t.is(audit.code, 0, audit.stdout + audit.stderr)
  const again = await startServer(t, settings)
  t.is((await request(again, `/api/v1/people/${ppid}`)).status, 410)
  const ark = String(work.body['ark_identifier'])
  t.is((await request(again, `/api/v1/resolve/${ark}`)).status, 200)
})
