// A whole registry as `arklog serve` runs it, on a port of its own, with people and applications:
// what an application sees of it is only what comes over HTTP.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { loadConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import type { TestPerson as MadePerson } from '#src/use_cases/test_people.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import type { AdminBody } from '#src/http/admin/command_table.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { openService } from '#src/cli/start/registry_service.ts'
import { testPasswordCost } from '#test/src/_accounts.ts'
import { type Seen, TestBrowser } from '#test/src/_browser.ts'
import { freePort } from '#test/_free_port.ts'
import { untilGiven } from '#test/_until.ts'

/** An application that may do things, with what it must know. */
export type TestApplication = {
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
  readonly application: Application
}

export type TestPerson = {
  readonly browser: TestBrowser
  readonly ppid: string
  readonly email: string
}

export type OAuthRegistry = {
  readonly baseUrl: string
  readonly issuer: string
  readonly dataDir: string
  readonly admin: AdminClient
  /** A person with an account, signed in. */
  person(name?: string): Promise<TestPerson>
  application(wish?: Partial<AdminBody<'/applications/create'>>): Promise<TestApplication>
  /** Ends the registry and starts it again on the same data. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const password = 'a planted password of some length'

/** The settings for a test that sets the time: each thread of a process has a clock of its own. */
export const inOneThread = { EDGE_THREADS: '0' } as const

const opening = { listen: true, passwordCost: testPasswordCost } as const

/**
 * Starts a registry; `settings` are configuration keys. Limits and search are off unless they are
 * set. People and applications are those of the environment.
 */
export async function openOAuthRegistry(
  settings: Readonly<Record<string, string>> = {},
  environment: EnvironmentName = 'live',
): Promise<OAuthRegistry> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const dataDir = path.join(folder, 'data')
  const port = Number(settings['PORT'] ?? (await freePort()))
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'off',
    DISK_RESERVE_BYTES: '0',
    EDGE_THREADS: process.env['EDGE_THREADS'] ?? '0',
    SEARCH: 'off',
    ...settings,
  })
  let service = await openOnItsPort(config)
  const baseUrl = `http://127.0.0.1:${port}`
  const issuer = environment === 'live' ? `${baseUrl}/auth` : `${baseUrl}/auth/sandbox`
  const admin = new AdminClient(adminSocketPath(dataDir))
  let count = 0
  return {
    baseUrl,
    issuer,
    dataDir,
    admin,
    async person(name = `Person ${count}`) {
      count += 1
      return environment === 'live'
        ? signUp(admin, issuer, name, `person${count}@example.org`)
        : makeTestPerson(admin, { baseUrl, issuer }, name)
    },
    async application(wish = {}) {
      count += 1
      const redirect_uri = `https://app${count}.example/back`
      const uris = { redirect_uris: [redirect_uri] }
      const asked = { name: `Application ${count}`, environment, ...uris, ...wish }
      const { application, secret } = await admin.call('/applications/create', asked)
      const { client_id, redirect_uris } = application
      return {
        client_id,
        client_secret: secret ?? '',
        redirect_uri: redirect_uris[0] ?? '',
        application,
      }
    },
    async restart() {
      await service.close()
      service = await openOnItsPort(config)
    },
    async close() {
      admin.close()
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * A process that another thread of this one starts has a copy of each socket until it begins its
 * own program: so long a port that was let go is not free yet.
 */
function openOnItsPort(config: Config) {
  return untilGiven('its port is free', () =>
    openService(config, opening).catch((error: unknown) => {
      if (error instanceof StartError && error.code === 'port_taken') return undefined
      throw error
    }),
  )
}

async function signUp(
  admin: AdminClient,
  issuer: string,
  name: string,
  email: string,
): Promise<TestPerson> {
  const browser = new TestBrowser(new URL(issuer).origin)
  const form = await browser.go(`${issuer}/sign-up`)
  const done = await browser.send(form, { name, email, password, seen_by: 'public' })
  if (done.status !== 303) throw new Error(`${done.status} ${done.body}`)
  const { accounts } = await admin.call('/accounts/list', {})
  const ppid = accounts.find((account) => account.email === email)?.ppid ?? ''
  return { browser, ppid, email }
}

async function makeTestPerson(
  admin: AdminClient,
  { baseUrl, issuer }: Pick<OAuthRegistry, 'baseUrl' | 'issuer'>,
  name: string,
): Promise<TestPerson> {
  const wish = { owner: 'operator', environment: 'sandbox', scopes: ['people:write'] } as const
  const { key } = await admin.call('/keys/create', { ...wish, scopes: [...wish.scopes] })
  const made = await fetch(`${baseUrl}/v1/people`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const { ppid, sign_in } = (await made.json()) as MadePerson
  const browser = new TestBrowser(new URL(issuer).origin)
  const { email, password: secret } = sign_in
  const done = await browser.send(await browser.go(sign_in.url), { email, password: secret })
  if (done.status !== 303) throw new Error(`${done.status} ${done.body}`)
  return { browser, ppid, email }
}

/** A verifier of PKCE with its challenge. */
export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Permits what a page of consent asks for, but for some scopes; gives where the browser ends. */
export function permit(
  browser: TestBrowser,
  page: Seen,
  refused: readonly string[] = [],
): Promise<Seen> {
  const fields = refused.map((scope) => [`permit:${scope}`, undefined] as const)
  return browser.submit(page, Object.fromEntries(fields), new URL(page.url).pathname)
}
