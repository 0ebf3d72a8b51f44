// A registry in a process of its own that is killed at a moment of a test, with people who go on.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

import { AdminClient } from '#src/cli/admin_client.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { scopeWords } from '#src/pages/sign_in/interaction_pages.ts'
import { english } from '#src/words/language.ts'
import { textIn } from '#src/words/wording.ts'
import {
  edgeThreadsOf,
  newDataDir,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { type Seen, TestBrowser } from '#test/src/_browser.ts'
import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { type TestApplication, type TestPerson } from '#test/src/_oauth_registry.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { freePort } from '#test/_free_port.ts'

export const password = 'a sentence of some length'

/** What an application of these tests may ask for. */
export const bothScopes = ['svc:works:write', 'svc:affiliations:write'] as const

const redirectUri = 'https://press.example/back'

/** A browser that notes every page that no person should ever see. */
class WatchedBrowser extends TestBrowser {
  readonly #faults: string[]

  constructor(origin: string, faults: string[]) {
    super(origin)
    this.#faults = faults
  }

  override async request(url: string, init: RequestInit = {}): Promise<Seen> {
    const seen = await super.request(url, init)
    const isClear = seen.status < 500 && !/\.ts:\d+:\d+|node_modules/.test(seen.body)
    if (!isClear) this.#faults.push(`${init.method ?? 'GET'} ${url}: ${seen.status} ${seen.body}`)
    return seen
  }
}

/** One registry through all its lives. */
export class KilledRegistry {
  readonly baseUrl: string
  readonly issuer: string
  readonly #t: ExecutionContext
  readonly #settings: Settings
  readonly #random: () => number
  readonly #faults: string[] = []
  readonly #joined = new Set<string>()
  readonly #left = new Set<string>()
  #server: Server
  #people = 0
  kills = 0
  /** How many requests were under way at a kill, and how many of them had been answered. */
  readonly underWay = { sent: 0, answered: 0 }

  private constructor(t: ExecutionContext, settings: Settings, server: Server, seed: number) {
    this.#t = t
    this.#settings = settings
    this.#server = server
    this.#random = seededRandom(seed)
    this.baseUrl = server.started.local_url
    this.issuer = `${this.baseUrl}/auth`
  }

  static async start(t: ExecutionContext, seed: number): Promise<KilledRegistry> {
    t.log(`seed ${seed}`)
    const settings = {
      DATA_DIR: await newDataDir(t),
      PORT: String(await freePort()),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    }
    return new KilledRegistry(t, settings, await startServer(t, settings), seed)
  }

  /** Kills the process, whatever it does, and starts it again on the same data. */
  async kill(): Promise<void> {
    const { signal, stderr } = await this.#server.end('SIGKILL')
    assert.equal(signal, 'SIGKILL', `it had not ended by itself: ${stderr}`)
    this.#judge(stderr)
    this.kills += 1
    const threads = edgeThreadsOf(this.kills)
    this.#server = await startServer(this.#t, { ...this.#settings, ...threads })
  }

  /** Begins some work, and kills within so many milliseconds; gives its answer, if it had one. */
  async killDuring<T>(withinMs: number, work: () => Promise<T>): Promise<T | undefined> {
    const answered = work().catch(() => undefined)
    await setTimeout(this.#random() * withinMs)
    await this.kill()
    const answer = await answered
    this.underWay.sent += 1
    if (answer !== undefined) this.underWay.answered += 1
    return answer
  }

  /** Ends the registry in order, once nothing was seen of it that should not be. */
  async end(): Promise<void> {
    const { code, stderr } = await this.#server.end('SIGTERM')
    assert.equal(code, 0, stderr)
    this.#judge(stderr)
  }

  /** A browser that nobody is signed in with. */
  browser(): TestBrowser {
    return new WatchedBrowser(this.baseUrl, this.#faults)
  }

  /** The fields of a sign-up that nobody else makes. */
  newcomer(): { readonly name: string; readonly email: string; readonly password: string } {
    this.#people += 1
    const name = `Person ${this.#people}`
    return { name, email: `person${this.#people}@example.org`, password }
  }

  /** A person with an account, signed in, before an application that asks for something. */
  async flow(): Promise<OAuthFlow> {
    const newcomer = this.newcomer()
    const browser = this.browser()
    const form = await browser.go(`${this.issuer}/sign-up`)
    const done = await browser.send(form, { ...newcomer, seen_by: 'public' })
    assert.equal(done.status, 303, done.body)
    return this.flowOf(browser, newcomer.email)
  }

  /** The flow of a person whose account is there. */
  async flowOf(browser: TestBrowser, email: string): Promise<OAuthFlow> {
    const ppid = await this.ppidOf(email)
    assert(ppid !== undefined, `${email} has an account`)
    this.#joined.add(ppid)
    const person: TestPerson = { browser, ppid, email }
    return new OAuthFlow(this, await this.#application(), person)
  }

  /** Signs a browser in, unless it is. */
  async signIn(browser: TestBrowser, email: string): Promise<Seen> {
    const page = await browser.go(`${this.issuer}/sign-in`)
    const seen = page.url.includes('/account')
      ? page
      : await browser.submit(page, { email, password }, '/sign-in')
    assert.equal(seen.status, 200, seen.body)
    return seen
  }

  /** Notes that a person has gone for good. */
  noteLeft(ppid: string): void {
    this.#joined.delete(ppid)
    this.#left.add(ppid)
  }

  async ppidOf(email: string): Promise<string | undefined> {
    return (await this.#accounts()).find((account) => account.email === email)?.ppid
  }

  /** The address that takes back what a person permitted; undefined if nothing is listed. */
  async listed({ person }: OAuthFlow, scopes: readonly string[] = []) {
    const page = await person.browser.go(`${this.issuer}/account/applications`)
    const [, action, ...more] = /action="([^"]+\/revoke)"/.exec(page.body) ?? []
    assert.deepEqual(more, [], 'one application is permitted at most')
    if (action === undefined) return undefined
    for (const name of bothScopes) {
      const isShown = page.body.includes(textIn(english, scopeWords[name] ?? name))
      assert.equal(isShown, scopes.includes(name), `${name} is permitted as the person said`)
    }
    return { page, action }
  }

  /** The person goes on: permits what is asked for, but for what they refused; it is used then. */
  async goOn(flow: OAuthFlow, scopes: readonly string[] = bothScopes): Promise<void> {
    const { access } = await flow.tokens(bothScopes.join(' '))
    assert.equal(await flow.write(access), 200)
    assert(await this.listed(flow, scopes))
  }

  /** No account is without its person, and no person without their account. */
  async check(): Promise<void> {
    assert.deepEqual(this.#faults, [])
    const accounts = await this.#accounts()
    for (const { ppid, state, name } of accounts) {
      assert.equal(state, 'active', ppid)
      assert.match(name ?? '', /^Person \d+$/, `${ppid} has a person`)
      assert.equal(await this.#personStatus(ppid), 200)
    }
    const there = new Set(accounts.map(({ ppid }) => ppid))
    for (const ppid of this.#joined) assert(there.has(ppid), `${ppid} has an account`)
    for (const ppid of this.#left) {
      assert(!there.has(ppid), `${ppid} has no account`)
      assert.equal(await this.#personStatus(ppid), 410)
    }
  }

  async #personStatus(ppid: string): Promise<number> {
    return (await fetch(`${this.baseUrl}/api/v1/people/${ppid}`)).status
  }

  async #accounts() {
    const { accounts } = await this.#ask((admin) => admin.call('/accounts/list', {}))
    return accounts
  }

  async #application(): Promise<TestApplication> {
    const wish = { name: 'Press Desk', redirect_uris: [redirectUri] }
    const made = await this.#ask((admin) => admin.call('/applications/create', wish))
    const { application, secret } = made
    const { client_id } = application
    return { client_id, client_secret: secret ?? '', redirect_uri: redirectUri, application }
  }

  async #ask<T>(call: (admin: AdminClient) => Promise<T>): Promise<T> {
    const admin = new AdminClient(adminSocketPath(this.#settings['DATA_DIR'] ?? ''))
    try {
      return await call(admin)
    } finally {
      admin.close()
    }
  }

  #judge(stderr: string): void {
    assert.doesNotMatch(stderr, /a person has no account|"level":[56]0/)
  }
}
