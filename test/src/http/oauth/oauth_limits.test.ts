// How often an application may ask for tokens, however it writes its name.

import test from 'ava'

import { openOAuthRegistry } from '#test/src/_oauth_registry.ts'

const limit = 20

test('an application is counted once in all spellings, and strangers as one', async (t) => {
  const registry = await openOAuthRegistry({
    RATE_LIMITS: 'on',
    LIMIT_TOKEN: String(limit),
    LIMIT_OAUTH: 'off',
  })
  t.teardown(() => registry.close())
  const [{ client_id: id, client_secret: secret }, other] = [
    await registry.application(),
    await registry.application(),
  ]
  const basic = (name: string) => Buffer.from(`${name}:${secret}`).toString('base64')
  const encoded = (text: string, count: number) =>
    [...text].map((c, at) => (at < count ? escape(c) : c)).join('')
  const escape = (c: string) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`
  const unicode = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  const form = 'application/x-www-form-urlencoded'
  const json = 'application/json'
  const grant = 'grant_type=refresh_token&refresh_token=x'
  const ask = async (path: string, type: string, body: string, authorization?: string) => {
    const headers = { 'content-type': type, ...(authorization && { authorization }) }
    const url = path.startsWith('/api') ? registry.baseUrl : registry.issuer
    const reply = await fetch(url + path, { method: 'POST', headers, body })
    return { status: reply.status, left: Number(reply.headers.get('x-ratelimit-remaining')) }
  }
  const token = '/oauth/token'
  const spellings = [
    ...Array.from({ length: 6 }, (_, count) =>
      ask(token, form, grant, `Basic ${basic(encoded(id, count))}`),
    ),
    ask(token, form, grant, `bAsIc ${basic(encoded(id, id.length)).replace(/=+$/, '')}`),
    ask(token, form, `${grant}&client_id=${id}`, `Basic ${basic(id)}`),
    ask(token, form, `${grant}&client_id=${encoded(id, 3)}&client_secret=${secret}`),
    ask(token, form, `${encoded('client_id', 2)}=${id}&${grant}`),
    ask('/api/v1/oauth/token', form, `${grant}&client_id=${encoded(id, 9)}`),
    ask('/api/v1/oauth/token', json, `{"client_id":"${id}"}`),
    ask('/api/v1/oauth/token', json, `{"client_id":"${[...id].map(unicode).join('')}"}`),
    ask('/api/v1/oauth/token', json, `{"cl\\u0069ent_id":"${id}"}`),
  ]
  const left = (await Promise.all(spellings)).map((reply) => reply.left)
  t.deepEqual(
    left.toSorted((a, b) => b - a),
    left.map((_, index) => limit - 1 - index),
    'each spelling takes one from the same count',
  )
  t.is((await ask(token, form, `${grant}&client_id=${other.client_id}`)).left, limit - 1)

  // At once: what is counted is forgotten with the minute.
  const strangers = Array.from({ length: limit + 1 }, async (_, nth) => {
    const name = `nobody-${nth}`
    const dupes = nth % 2 === 0 ? `&client_id=${id}&client_id=${name}` : `&client_id=${name}`
    return (await ask(token, form, grant + dupes)).status
  })
  const refused = (await Promise.all(strangers)).filter((status) => status === 429)
  t.is(refused.length, 1, 'names that nobody has do not begin a new count each')
})
