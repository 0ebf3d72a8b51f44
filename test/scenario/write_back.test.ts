import path from 'node:path'
import test from 'ava'

import { foundIn, foundInFiles, plantedWords } from '#test/actors/_erasure.ts'
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

test('from the sign-up to the last trace of a person', async (t) => {
  const dataDir = await newDataDir(t)
  const settings: Settings = { DATA_DIR: dataDir, LOG_LEVEL: 'trace', RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const { base_url: origin } = server.started
  const words = plantedWords()
  const [word = ''] = /[a-z0-9]{24}$/.exec(words.doi) ?? []
  // What only the person says, and is never anybody else's.
  const person = { name: words.author, email: `${word}@people.example`, password: words.note }

  const browser = new JarBrowser(Number(new URL(origin).port), origin)
  const ppid = await browser.signUp(person)
  await browser.get('/auth/account')
  await browser.postThen('/auth/account', { name: person.name, bio: words.description })

  const create = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const made = await runJson<NewApplication>(t, [...create, '--organization', 'demo'], settings)
  const { client_id } = made.application
  const application = { client_id, secret: made.secret, redirectUri }
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

  const writes = await browser.get('/auth/account/writes')
  t.true(writes.body.includes('Demonstration, through Press Desk'))
  t.true(writes.body.includes(words.title), 'the difference is shown')
  for (const action of undoesIn(writes.body)) await browser.postThen(action)
  t.like(await read(), { works_count: 0, affiliations: [] })
  const history = await browser.get('/auth/account/writes')
  t.deepEqual(undoesIn(history.body), [])
  t.true(history.body.includes(words.title), 'the history stays')

  const applications = await browser.get('/auth/account/applications')
  const [, revoke = ''] = /action="([^"]+\/revoke)"/.exec(applications.body) ?? []
  await browser.postThen(revoke)
  const late = await request(server, '/api/v1/user/affiliations', { key: token, body })
  t.is(late.status, 401, 'the next write is refused')

  const held = await browser.get('/auth/account/export')
  t.is(held.status, 200)
  for (const text of [person.name, person.email, words.title, words.description]) {
    t.true(held.body.includes(text), text)
  }
  const secret = /[a-z0-9]{24}$/.exec(words.note)?.[0] ?? ''
  t.false(held.body.includes(secret), 'a password is not held')

  t.deepEqual(await foundInFiles(path.dirname(dataDir), words), [], 'all of it is sealed')
  await browser.get('/auth/account/delete')
  await browser.postThen('/auth/account/delete', { password: person.password })
  t.is((await request(server, `/api/v1/people/${ppid}`)).status, 410)
  t.is((await browser.get('/auth/account')).status, 303)
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
