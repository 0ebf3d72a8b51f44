import test from 'ava'

import { openPeopleRegistry, publisher } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { shared } from '#test/src/_shared_registry.ts'

const registry = shared(() => openPeopleRegistry())

const path = '/auth/account/works/find'

/** Registers a work of a publisher; gives its ARK, `naan/name`. */
async function register(authors: string): Promise<string> {
  const press = await registry.keyOf(publisher, ['works:write'])
  const body = { ...goodWork, authors }
  const answer = await registry.call('POST', '/api/v1/works?allow_duplicate=true', press, body)
  return String(answer.json().ark_identifier).replace('ark:/', '')
}

test('several works are claimed in one step, and what one of them lacks is said', async (t) => {
  const { browser, ppid } = await registry.person('Ada Finds')
  const { claims } = registry.environments.live
  const one = await register('Ada Finds')
  const two = await register('Bo; Ada Finds')
  const unplaced = await register('Bo; Cy')
  await browser.get(path)
  const ticks = Object.fromEntries([one, two, unplaced].map((ark) => [`claim:${ark}`, 'on']))
  const places = { [`place:${one}`]: '1', [`place:${two}`]: '2', [`place:${unplaced}`]: '' }
  const q = `ark:/${unplaced}`
  const sent = await browser.post(path, { ...ticks, ...places, q, message: 'All mine' })
  t.is(sent.status, 422)
  t.regex(sent.body, /Choose which author you are/)
  t.regex(sent.body, new RegExp(`href="#field-place-${unplaced.replace('/', '-')}"`))
  t.like(claims.read(ppid, one), { status: 'pending', author_position: 1, message: 'All mine' })
  t.like(claims.read(ppid, two), { status: 'pending', author_position: 2 })
  t.is(claims.read(ppid, unplaced), undefined)
  await browser.get(path)
  const again = await browser.post(path, { ...ticks, ...places, [`place:${unplaced}`]: '1' })
  t.is(again.headers.location, '/auth/account/works?done=several')
  const none = await browser.post(path, { q })
  t.is(none.status, 422)
  t.regex(none.body, /Select the works that are yours/)
})

test('all works of a list are claimed at once; one without a place is asked for', async (t) => {
  const { browser, ppid } = await registry.person('Ada Whole')
  const { claims } = registry.environments.live
  const one = await register('Ada Whole')
  const unplaced = await register('Bo; Cy')
  await browser.get(path)
  const places = { [`place:${one}`]: '1', [`place:${unplaced}`]: '' }
  const sent = await browser.post(path, { ...places, all: 'on', q: `ark:/${unplaced}` })
  t.is(sent.status, 422)
  t.regex(sent.body, new RegExp(`name="claim:${unplaced}" value="on" checked`))
  t.like(claims.read(ppid, one), { status: 'pending', author_position: 1 })
  t.is(claims.read(ppid, unplaced), undefined)
  const unticked = await browser.post(path, places)
  t.is(unticked.status, 422, 'places alone claim nothing')
})

test('a work is found by its ARK without a search, with the likely author chosen', async (t) => {
  const { browser } = await registry.person('Lovelace, Ada')
  t.regex((await browser.get(path)).body, /Search is not available right now/)
  const ark = await register('Bo Long; A. Lovelace; Cy <Short>')
  const found = (await browser.get(`${path}?q=${encodeURIComponent(`ark:/${ark}`)}`)).body
  t.regex(found, /1 work found/)
  t.regex(found, /<option value="2" selected>2\. A\. Lovelace</)
  t.regex(found, /3\. Cy &#60;Short&#62;/)
})

test('the form for one work leads to the claim that there is', async (t) => {
  const { browser, ppid } = await registry.person('Ada Again')
  const ark = await register('Ada Again')
  const form = `/auth/account/works/claim?ark=${ark}`
  t.regex((await browser.get(form)).body, /counts as yours once A Press agrees/)
  const sent = await browser.post('/auth/account/works', { ark_identifier: `ark:/${ark}` })
  t.is(sent.headers.location, '/auth/account/works?done=claimed')
  const { headers } = await browser.get(form)
  const id = registry.environments.live.claims.read(ppid, ark)?.claim_id
  t.is(headers.location, `/auth/account/works/${id}`)
  const missing = await browser.get('/auth/account/works/claim?ark=ark:/12345/k2none')
  t.is(missing.status, 422)
  t.regex(missing.body, /There is no work with this ARK/)
})
