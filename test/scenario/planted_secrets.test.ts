// Secrets and personal words are planted in one registry, and looked for in all it has written.

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import type { AccountInfo } from '#src/http/admin/registry_commands.ts'
import type { OneTimeUrl } from '#src/use_cases/account_record.ts'
import { until } from '#test/_until.ts'
import { type Planted, plantedWords } from '#test/actors/_erasure.ts'
import {
  newDataDir,
  newWork,
  runJson,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { TestBrowser } from '#test/src/_browser.ts'
import { OAuthFlow, tokensOf } from '#test/src/_oauth_flow.ts'
import type { TestApplication, TestPerson } from '#test/src/_oauth_registry.ts'

const redirectUri = 'https://press.example/back'

/** Texts by what they are; the last letters of each are drawn at random. */
type Texts = Readonly<Record<string, string>>

/** The pieces of a text that a file has if it has the text, compressed or not, in any coding. */
function piecesOf(text: string): Buffer[] {
  const drawn = text.slice(-24)
  const pieces = [drawn.slice(0, 12), drawn.slice(12)]
  // What stands before a text shifts its letters in base64 by none, one or two bytes.
  const shifted = [0, 1, 2].map((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), Buffer.from(drawn)]).toString('base64')
    return coded.slice(4, -4).slice(0, 16)
  })
  return [
    ...[...pieces, ...shifted].map((piece) => Buffer.from(piece)),
    ...pieces.map((piece) => Buffer.from(piece, 'utf16le')),
    ...pieces.map((piece) => Buffer.from(piece, 'utf16le').swap16()),
  ]
}

function namesIn(bytes: Buffer, texts: Texts): string[] {
  const found = Object.entries(texts).filter(([, text]) => {
    return piecesOf(text).some((piece) => bytes.includes(piece))
  })
  return found.map(([name]) => name)
}

/** What is found in the files below a folder, as the name of the text and that of the file. */
async function foundIn(folder: string, texts: Texts): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    // LevelDB may delete a file after it was listed.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    for (const name of namesIn(bytes, texts))
      found.push(`${name} in ${path.relative(folder, file)}`)
  }
  return found
}

/** Waits until a search of files finds something, or finds nothing more. */
async function registerApplication(t: ExecutionContext, settings: Settings) {
  const create = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const made = await runJson<{ application: TestApplication['application']; secret: string }>(
    t,
    create,
    settings,
  )
  const { application, secret } = made
  const { client_id } = application
  return { client_id, client_secret: secret, redirect_uri: redirectUri, application }
}

type PlantedPerson = { readonly name: string; readonly email: string; readonly password: string }

/** Signs a person up who says more of themselves than everybody is shown. */
async function signUp(
  t: ExecutionContext,
  settings: Settings,
  { issuer, person, bio }: { issuer: string; person: PlantedPerson; bio: string },
): Promise<TestPerson> {
  const browser = new TestBrowser(new URL(issuer).origin)
  const asked = { ...person, seen_by: 'public' }
  await browser.submit(await browser.go(`${issuer}/sign-up`), asked, '/sign-up')
  const profile = await browser.go(`${issuer}/account`)
  const saved = await browser.submit(profile, { name: person.name, bio }, '/auth/account')
  t.regex(saved.body, /Your profile is saved/)
  const [account] = await runJson<AccountInfo[]>(t, ['account', 'list'], settings)
  return { browser, ppid: account?.ppid ?? '', email: person.email }
}

/** Uses each secret where it is used, and in some places where it should not be. */
async function useSecrets(
  t: ExecutionContext,
  { server, settings, flow }: { server: Server; settings: Settings; flow: OAuthFlow },
): Promise<Texts> {
  const { browser, ppid, email } = flow.person
  const { issuer } = flow.registry
  const { code, verifier } = await flow.code('openid email svc:works:write svc:affiliations:write')
  const first = tokensOf(await flow.redeem(code, verifier))
  const { access, refresh } = tokensOf(await flow.refresh(first.refresh))
  const keys = await browser.go(`${issuer}/account/keys`)
  const made = await browser.submit(keys, { label: 'A key', mint: 'on' }, '/account/keys')
  const [key = ''] = /svc-[0-9A-Za-z]{20,}/.exec(made.body) ?? []
  await request(server, `/api/v1/user/affiliations?api_key=${key}`)
  await request(server, '/v1/changes', { headers: { 'x-api-key': access } })
  await request(server, `/api/v1/people/${ppid}?access_token=${access}`)
  const reset = await runJson<OneTimeUrl>(t, ['account', 'reset-link', ppid], settings)
  t.is((await browser.go(reset.url)).status, 200)
  const stranger = new TestBrowser(new URL(issuer).origin)
  const wrong = { email, password: 'a wrong one that nobody has' }
  await stranger.submit(await stranger.go(`${issuer}/sign-in`), wrong, '/sign-in')
  return {
    code,
    access,
    refresh,
    'the first access token': first.access,
    'the first refresh token': first.refresh,
    'the API key': key,
    'the reset link': reset.url,
    'the client secret': flow.application.client_secret,
    'the session cookie': browser.cookie('svc_session') ?? '',
  }
}

/** What a person is known by; `title` is that of a work, which stays. */
function textsOf(words: Planted) {
  const word = (text: string) => text.slice(-24)
  const email = `${word(words.doi)}@people.example`
  const person = { name: words.author, email, password: `A sentence ${word(words.note)}` }
  return {
    person,
    secret: { email: word(words.doi), password: person.password },
    personal: { name: words.author, bio: words.description, affiliation: words.older },
    public: { title: words.title },
  }
}

test('a search of files finds a text in every coding', (t) => {
  const texts = textsOf(plantedWords()).public
  for (const shift of ['', 'a', 'ab', 'abc']) {
    const bytes = Buffer.from(`${shift}${texts.title} and more`)
    const codings = [bytes, Buffer.from(bytes.toString('base64'))]
    const wide = Buffer.from(bytes.toString(), 'utf16le')
    for (const coded of [...codings, wide, Buffer.from(wide).swap16()]) {
      t.deepEqual(namesIn(coded, texts), ['title'])
      t.deepEqual(namesIn(coded, textsOf(plantedWords()).public), [])
    }
  }
})

test('no secret is in a file or a log line, and nothing of a person who has gone', async (t) => {
  t.timeout(600_000)
  const dataDir = await newDataDir(t)
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'trace', RATE_LIMITS: 'off' }
  const server = await startServer(t, settings)
  const { base_url: baseUrl } = server.started
  const issuer = `${baseUrl}/auth`
  const texts = textsOf(plantedWords())
  const person = await signUp(t, settings, {
    issuer,
    person: texts.person,
    bio: texts.personal.bio,
  })
  const application = await registerApplication(t, settings)
  const flow = new OAuthFlow({ baseUrl, issuer }, application, person)
  const used = await useSecrets(t, { server, settings, flow })
  const secrets: Texts = { ...used, ...texts.secret }
  for (const [name, text] of Object.entries(secrets)) t.true(text.length >= 24, name)
  const key = used['access'] ?? ''
  const body = newWork(texts.public.title)
  t.is((await request(server, '/api/v1/works', { key, body })).status, 201)
  const affiliation = { organization: texts.personal.affiliation, role: 'Professor' }
  const added = await request(server, '/api/v1/user/affiliations', { key, body: affiliation })
  t.is(added.status, 201)

  // The title is public: where it is not found, the search for the secrets would prove nothing.
  for (const folder of ['live', 'search']) {
    const found = () => foundIn(path.join(dataDir, folder), texts.public)
    await until(`${folder} holds what is public`, async () => (await found()).length > 0)
  }
  t.deepEqual(await foundIn(dataDir, secrets), [])
  for (const folder of ['live', 'sandbox', 'identity', 'oauth']) {
    t.deepEqual(await foundIn(path.join(dataDir, folder), texts.personal), [], folder)
  }

  const { password } = texts.person
  const page = await person.browser.go(`${issuer}/account/delete`)
  const gone = await person.browser.submit(page, { password }, '/account/delete')
  t.regex(gone.body, /Your account is deleted/)
  const known = () => foundIn(path.join(dataDir, 'search'), texts.personal)
  await until('the index knows no person', async () => (await known()).length === 0)
  const { stderr } = await server.end('SIGTERM')
  t.deepEqual(await foundIn(dataDir, { ...secrets, ...texts.personal }), [])
  t.not((await foundIn(dataDir, texts.public)).length, 0)
  t.true(stderr.includes(person.ppid), 'requests are logged')
  t.deepEqual(namesIn(Buffer.from(stderr), { ...secrets, ...texts.personal }), [])
})
