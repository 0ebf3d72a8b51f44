// The server of the permission bench: the registry's own edge with one route that does nothing,
// once without any check and once behind the admission of a key or a token. Its argument is a
// folder.

import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { AddressInfo } from 'node:net'

import { monotoneClock } from '#actors/values/clock.ts'
import { loadConfig } from '#config/config.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { buildEdge } from '#src/edge/server.ts'
import { AccessTokens } from '#src/identity/oauth/access_tokens.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import { checkNewApplication } from '#src/identity/oauth/application_record.ts'
import { Applications } from '#src/identity/oauth/applications.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import { KeyStore } from '#src/identity/keys/key_store.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { ownRowStore, ProviderRows } from '#src/identity/oauth/provider_rows.ts'

const [folder = ''] = process.argv.slice(2)
const clock = monotoneClock(Date.now, '')
const report = (fault: unknown): never => {
  throw fault
}
const store = await openIdentityStore({
  dir: path.join(folder, 'identity'),
  headFile: path.join(folder, 'identity.head'),
  pepperPath: path.join(folder, 'pepper'),
  create: true,
  random: randomBytes,
})
const audit = new AuditLog(store)
const parts = { store, audit, clock, random: randomBytes, report }
const keys = new KeyStore(parts)
const applications = new Applications({ ...parts, idPrefix: 'app_' })
const grants = new Grants(parts)
const rows = new ProviderRows({
  store: ownRowStore(await openLevelStore(path.join(folder, 'oauth'), { create: true }), store),
  clock,
  indexKey: randomBytes(32),
  sealKey: randomBytes(32),
})
const tokens = new AccessTokens({
  store,
  rows,
  grants,
  applications,
  organizationName: (slug) => slug,
  nowMs: () => clock.nowMs(),
  elapsedMs: () => performance.now(),
})

async function makeKey(): Promise<string> {
  const owner = { type: 'organization', id: 'demo', name: 'Demo' } as const
  const scopes = ['works:read']
  const wish = { owner, environment: 'live', scopes, label: '', ipAllow: [], hours: 1 } as const
  return (await keys.create(wish, operator)).key
}

async function makeToken(): Promise<string> {
  const wish = { name: 'Demo', redirect_uris: ['https://demo.example/'], organization: 'demo' }
  const checked = checkNewApplication(wish, operator)
  if (checked.type === 'invalid') throw new Error('the application is right')
  const { application } = await applications.register(checked.application, operator)
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  const scope = 'svc:works:read svc:works:write'
  const mine = { accountId: 'p1', clientId: application.client_id, exp }
  await grants.save('grant', { ...mine, openid: { scope } })
  const token = randomBytes(32).toString('base64url')
  await rows.put('AccessToken', token, { ...mine, kind: 'AccessToken', grantId: 'grant', scope }, 1)
  return token
}

const suspensions = { first: () => undefined, contact: 'nobody@example.org' }
const credentials = { keys, oauth: { accessTokens: tokens }, suspensions }

const server = await buildEdge(
  {
    config: loadConfig({ RATE_LIMITS: 'off' }),
    baseUrl: 'http://127.0.0.1',
    authenticate: createAuthenticate(
      { ...credentials, sandbox: credentials },
      new AdminCodes(parts),
    ),
    logger: createLogger('warn', process.stderr),
    metrics: createMetrics(),
    nowMs: Date.now,
    elapsedMs: () => performance.now(),
  },
  (edge, { admit }) => {
    const access = { type: 'key', prefix: '/v1', right: 'read works', limit: 'works_read' } as const
    edge.get('/bare', (_request, reply) => reply.send({ done: true }))
    edge.get('/checked', admit(access), (_request, reply) => reply.send({ done: true }))
  },
)
await server.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.server.address() as AddressInfo
const ready = { port, key: await makeKey(), token: await makeToken() }
process.on('message', () => process.send?.(ready))
process.once('disconnect', () => process.exit())
