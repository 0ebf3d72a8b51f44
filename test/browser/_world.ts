import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import type { TestPerson } from '#src/use_cases/test_people.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { type Mailbox, openMailbox } from '#test/browser/_mailbox.ts'
import { type Credentials, Publisher, type Tokens } from '#test/browser/_publisher.ts'
import { type Owner, serve } from '#test/src/delivery/fetch/_servers.ts'
import { call, firstKey, newDataDir, newWork, type Server } from '#test/scenario/_process.ts'
import { type Settings, startServer } from '#test/scenario/_process.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'

/** Who comes to the pages. */
export const people = {
  root: { name: 'Grace Hopper', email: 'root@example.org', password: 'nanoseconds are short' },
  ada: { name: 'Ada Lovelace', email: 'ada@example.org', password: 'engines weave patterns' },
  bo: { name: 'Bo Long-Hyphenated-Surname', email: 'bo@example.org', password: 'a third sentence' },
} as const

export type Who = keyof typeof people

/** All that a researcher can be asked for. */
export const allScopes = [
  'profile',
  'email',
  'svc:works:read',
  'svc:affiliations:read',
  'svc:works:write',
  'svc:affiliations:write',
]

/** A registry in which something has happened on every page. */
export type World = {
  readonly server: Server
  readonly mailbox: Mailbox
  readonly content: ContentHost
  readonly publisher: Publisher
  /** An application that nobody has verified, and that Ada has permitted nothing yet. */
  readonly unverified: Credentials
  /** Ada's identifier, and a work of hers. */
  readonly ppid: string
  readonly ark: string
  readonly tokens: Tokens
  /** With what a person of the sandbox signs in. */
  readonly testPerson: TestPerson['sign_in']
  readonly browsers: Readonly<Record<Who, JarBrowser>>
}

/** A host of contents, whose files are there or not. */
type ContentHost = { readonly hostPort: string; readonly url: string; isThere: boolean }

async function serveContent(owner: Owner): Promise<ContentHost> {
  const { hostPort, url } = await serve(owner, (_request, response) => {
    response.writeHead(host.isThere ? 200 : 404, { 'content-type': 'text/plain' })
    response.end('text')
  })
  const host: ContentHost = { hostPort, url: `${url}/file.txt`, isThere: false }
  return host
}

/** Where else people have accounts; nobody answers there. */
const elsewhere = {
  id: 'university',
  name: 'University of London',
  issuer: 'http://127.0.0.1:9',
  client_id: 'arklog',
}

/** Starts a server whose mail goes to the mailbox; no limits, because tests are fast. */
export async function startMailingServer(
  owner: Owner,
  mailbox: Mailbox,
  settings: Settings = {},
): Promise<Server> {
  const dataDir = await newDataDir(owner)
  const issuers = path.join(path.dirname(dataDir), 'issuers.json')
  await writeFile(issuers, JSON.stringify([elsewhere]))
  return startServer(owner, {
    DATA_DIR: dataDir,
    UPSTREAM_ISSUERS: issuers,
    SMTP_URL: mailbox.smtpUrl,
    MAIL_FROM: 'Registry <registry@example.org>',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  })
}

/** Makes the world: an organization of Ada's, its application, and what it wrote for her. */
export async function makeWorld(owner: Owner, settings: Settings = {}): Promise<World> {
  const mailbox = await openMailbox(owner)
  const content = await serveContent(owner)
  const fetching = { FETCH_ALLOW: content.hostPort, ...settings }
  const server = await startMailingServer(owner, mailbox, fetching)
  const publisher = await Publisher.open(owner, server)
  const { base_url: origin, setup_url: setupUrl } = server.started
  const port = Number(new URL(server.started.local_url).port)
  const newBrowser = () => new JarBrowser(port, origin)
  const browsers = { root: newBrowser(), ada: newBrowser(), bo: newBrowser() }
  const setupPath = new URL(setupUrl ?? '').pathname
  await browsers.root.get(setupPath)
  await browsers.root.postThen(setupPath, { ...people.root, seen_by: 'public' })
  const ppid = await browsers.ada.signUp(people.ada)
  await browsers.bo.signUp(people.bo)
  await foundPress(browsers, ppid)
  const verified = await registerApplication(browsers.ada, 'Taylor’s Journals', publisher)
  await browsers.root.get('/auth/admin/organizations')
  await browsers.root.postThen(`/auth/admin/applications/${verified.client_id}/approve`)
  const unverified = await registerApplication(browsers.ada, 'A Reading List', publisher)
  const { client_id, client_secret: secret } = verified
  const asking = { client_id, secret, redirectUri: publisher.redirectUri }
  const tokens = await browsers.ada.permit(asking, allScopes)
  const { body: written } = await publisher.writeWork(tokens, 'Sketch of the Analytical Engine')
  await publisher.writeAffiliation(tokens, 'University of London')
  await fillAccount(browsers.ada)
  await claimSomething(server, browsers.ada)
  await claimWrongly(browsers.root, written.ark_identifier)
  await fillOrganization(browsers.ada)
  return {
    server,
    mailbox,
    content,
    publisher,
    unverified,
    ppid,
    ark: written.ark_identifier,
    tokens,
    testPerson: await makeTestPerson(server),
    browsers,
  }
}

async function makeTestPerson(server: Server): Promise<TestPerson['sign_in']> {
  const admin = new AdminClient(adminSocketPath(server.started.data_dir))
  const wish = { owner: 'org:press', environment: 'sandbox', scopes: ['people:write'] } as const
  const { key } = await admin.call('/keys/create', { ...wish, scopes: [...wish.scopes] })
  admin.close()
  const made = await call<TestPerson>(server, '/v1/people', { key, body: { name: 'Tess Tester' } })
  return made.body.sign_in
}

/** Ada asks for an organization and is given it; Bo asks for another one. */
async function foundPress({ root, ada, bo }: World['browsers'], ppid: string): Promise<void> {
  await ada.get('/auth/organizations')
  await ada.postThen('/auth/organizations/request', {
    slug: 'press',
    name: 'Taylor Press',
    country: 'GB',
    url: 'https://press.example/',
    message: 'I translate for it.',
  })
  await root.get('/auth/admin/organizations')
  await root.postThen(`/auth/admin/organizations/${ppid}/approve`)
  await bo.get('/auth/organizations')
  await bo.postThen('/auth/organizations/request', { slug: 'bo-labs', name: 'Bo Laboratories' })
}

async function registerApplication(
  browser: JarBrowser,
  name: string,
  { redirectUri }: Publisher,
): Promise<Credentials> {
  const page = '/auth/organizations/press/applications'
  await browser.get(page)
  const scopes = allScopes.map((scope) => [scope, 'on'] as const)
  const { body } = await browser.postThen(page, {
    name,
    kind: 'confidential',
    redirect_uris: redirectUri,
    ...Object.fromEntries(scopes),
  })
  return {
    client_id: find(body, /<code>([^<]+)<\/code>/),
    client_secret: find(body, /class="secret-text"[^>]*>([^<]+)</),
  }
}

/** The first group of what is looked for in a page. */
function find(body: string, pattern: RegExp): string {
  const [, found] = pattern.exec(body) ?? []
  if (found === undefined) throw new Error(`${pattern} is not in ${body}`)
  return found
}

/** A word that no phone shows in one line. */
const longName = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'

async function fillAccount(ada: JarBrowser): Promise<void> {
  await ada.get('/auth/account')
  await ada.postThen('/auth/account', {
    name: people.ada.name,
    username: 'ada',
    bio: 'Translator and annotator. Thinks about engines that weave algebraical patterns.',
    urls: 'Notes https://notes.example/analytical-engine',
    avatar_url: '',
  })
  await ada.postThen('/auth/account/orcid', { orcid: '0000-0002-1825-0097' })
  await ada.postThen('/auth/account/affiliations/new', { organization: longName })
  await ada.postThen('/auth/account/education/new', {
    degree: 'Mathematics',
    institution: 'University of London',
    year: '1841',
  })
  await ada.post('/auth/account/keys', { label: longName, mint: 'on', ip_allow: '192.0.2.0/24' })
  await ada.post('/auth/account/keys', { label: '', 'people:read': 'on' })
}

/** A claim that waits for who registered the work. */
async function claimSomething(server: Server, ada: JarBrowser): Promise<void> {
  type Work = { readonly ark_identifier: string }
  const options = { key: firstKey(server), body: newWork(`On the order of things in ${longName}`) }
  const { body } = await call<Work>(server, '/v1/works', options)
  await ada.get('/auth/account/works')
  const message = 'I am the second author.'
  await ada.postThen('/auth/account/works', { ark_identifier: body.ark_identifier, message })
}

/** Somebody says that they are an author who has another name. */
async function claimWrongly(root: JarBrowser, ark_identifier: string): Promise<void> {
  await root.get('/auth/account/works')
  const message = `I published as Charles Babbage, of ${longName}.`
  await root.postThen('/auth/account/works', { ark_identifier, author_position: '2', message })
}

async function fillOrganization(ada: JarBrowser): Promise<void> {
  await ada.get('/auth/organizations/press/keys')
  await ada.post('/auth/organizations/press/keys', {
    label: 'Editorial system',
    environment: 'live',
    'works:write': 'on',
    'works:read': 'on',
  })
}
