import test from 'ava'
import type { FastifyRequest } from 'fastify'

import { IdentityError } from '#src/identity/store/identity_error.ts'
import { signedInReaders } from '#src/pages/organization/signed_in_reader.ts'
import { openRegistry } from '#test/actors/_environment.ts'

test('where nobody can tell who is signed in, a page is that of everybody', async (t) => {
  const environment = await openRegistry(t)
  const readers = (code: 'identity_stale' | 'identity_forked') => {
    const signedInOn = () => {
      throw new IdentityError(code, 'it cannot be told')
    }
    const browserSessions = { isNamed: () => true, signedInOn }
    const unreadOf = async () => ''
    return signedInReaders({ browserSessions, environment, prefix: '/auth', unreadOf })
  }
  const request = {} as FastifyRequest
  t.is(await readers('identity_stale').partsFor(request), undefined)
  await t.throwsAsync(readers('identity_forked').partsFor(request), { code: 'identity_forked' })
})
