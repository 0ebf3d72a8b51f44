import test, { type ExecutionContext } from 'ava'
import fastify, { type FastifyInstance } from 'fastify'

import { loadConfig } from '#config/config.ts'
import type { TokenCaller } from '#src/edge/caller.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createLimitMemory } from '#src/edge/limits/limits.ts'
import { createWriteNotices } from '#src/http/people/write_notices.ts'
import { AccountMail } from '#src/delivery/mail/account_mail.ts'
import type { Message } from '#src/delivery/mail/message.ts'
import { openPeopleRegistry, type PeopleRegistry } from '#test/src/_people.ts'
import { until } from '#test/_until.ts'

/** A server as another thread has it, whose every request is one by which an application wrote. */
function serve(
  t: ExecutionContext,
  { caller, ...edge }: Parameters<typeof createWriteNotices>[0] & { caller: TokenCaller },
): FastifyInstance {
  const server = fastify()
  server.decorateRequest('caller')
  server.decorateReply('uses')
  server.addHook('onRequest', async (request) => void (request.caller = caller))
  const notice = createWriteNotices(edge)
  server.addHook('onResponse', async (request, reply) => notice(request, reply))
  server.post('/writes', () => 'written')
  t.teardown(() => server.close())
  return server
}

/** The registry, with accounts whose mail comes to a list. */
function collectingMail(registry: PeopleRegistry, sent: Message[]) {
  const { accounts } = registry
  const { links, authUrl } = accounts
  const mail = new AccountMail({
    outbox: {
      add: async (message) => void sent.push(message),
      row() {
        throw new Error('nobody asked for a link')
      },
      count: () => Promise.resolve(0),
    },
    links,
    authUrl,
    baseUrl: 'https://registry.example',
    elapsedMs: () => registry.time.elapsedMs,
    report: (fault) => {
      throw fault
    },
  })
  return { ...registry, accounts: { ...accounts, mail } }
}

test('of the writes of an hour one is told, by however many threads', async (t) => {
  const registry = await openPeopleRegistry()
  t.teardown(() => registry.close())
  const person = await registry.person('Ada Noticed')
  const { ppid } = person
  const { accounts, links } = registry.accounts
  const email = accounts.find(ppid)?.email ?? ''
  const { token } = await links.issue({ kind: 'verify', ppid, email })
  t.true(await accounts.byLink.verifyEmail(token))
  const headers = await registry.permit(person, ['svc:affiliations:write'])
  const wrote = await registry.call('POST', '/api/v1/user/affiliations', headers, {
    organization: 'Brown',
  })
  t.is(wrote.status, 201)
  const clientId = registry.application.client_id
  const caller: TokenCaller = {
    kind: 'token',
    agent: { type: 'person', id: ppid, name: ppid, via: 'oauth' },
    scopes: new Set(),
    environment: 'live',
    grantId: 'g',
    clientId,
    ppid,
    ip: '192.0.2.7',
  }
  const sent: Message[] = []
  const config = loadConfig({ RATE_LIMITS: 'off' })
  const limitMemory = createLimitMemory(config)
  const elapsedMs = () => registry.time.elapsedMs
  const logger = createLogger('silent', process.stderr)
  const counting = { config, limitMemory, elapsedMs, logger }
  const edge = { ...collectingMail(registry, sent), ...counting, caller }
  const servers = [serve(t, edge), serve(t, edge)]
  for (const hour of [1, 2, 3]) {
    // The second thread hears of the first write late in the hour, and of the next one early.
    for (const forwardMs of [0, 3_000_000]) {
      registry.time.elapsedMs += forwardMs
      for (const server of forwardMs === 0 ? servers.slice(0, 1) : [...servers, ...servers]) {
        t.is((await server.inject({ method: 'POST', url: '/writes' })).statusCode, 200)
      }
    }
    await until('it is told', () => sent.length === hour)
    registry.time.elapsedMs += 600_001
  }
  // What is done after a reply is over when another reply has been sent.
  t.is(sent.length, 3)
  t.true(sent.every(({ to }) => to === email))
})
