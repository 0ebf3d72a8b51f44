import { randomBytes } from 'node:crypto'

import test from 'ava'
import fc from 'fast-check'

import { betanumerics, checkZoneMax, hasValidCheck, parseArk } from '#actors/values/ark.ts'
import { bladeCharacters, mintName, readsAsTail } from '#actors/works/actor.ts'
import {
  admin,
  arkOf,
  bodyOf,
  makeRegistry,
  metadataOf,
  openRegistry,
  other,
  register,
  registration,
} from '#test/actors/_environment.ts'

const doi = { existing_doi: '10.5555/12345678' }

test('of many parallel registrations of one DOI and title exactly one is accepted', async (t) => {
  const environment = await openRegistry(t)
  const command = registration(metadataOf('Race', doi))
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => environment.works.register(command)),
  )
  t.is(answers.filter((answer) => answer.type === 'registered').length, 1)
  t.is(answers.filter((answer) => answer.type === 'duplicate_work').length, 49)
})

test('a withdrawn work no longer stands in the way of its DOI and title', async (t) => {
  const environment = await openRegistry(t)
  const command = registration(metadataOf('Again', doi))
  const work = await register(environment, command.metadata)
  await environment.works.withdraw({ ark: arkOf(work), reason: 'test', by: command.by })
  t.is((await environment.works.register(command)).type, 'registered')
})

test('an idempotency key replays, also after a restart, and refuses another body', async (t) => {
  const registry = await makeRegistry(t)
  const command = registration('Once', { idempotency: { key: 'a', bodyHash: '00' } })
  const first = await registry.open()
  const answer = await first.works.register(command)
  await first.close()
  const second = await registry.open()
  t.teardown(() => second.close())
  t.deepEqual(await second.works.register(command), { ...answer, replayed: true })
  const changed = { ...command, idempotency: { key: 'a', bodyHash: '01' } }
  t.deepEqual(await second.works.register(changed), { type: 'idempotency_mismatch' })
  const elsewhere = await second.works.register({ ...command, by: other })
  t.like(elsewhere, { type: 'registered', replayed: false })
  t.is(second.status().treeSize, 2)
})

test('of 1,000 parallel requests with one idempotency key one is carried out', async (t) => {
  const environment = await openRegistry(t)
  const command = registration('Once', { idempotency: { key: 'k', bodyHash: '00' } })
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, () => environment.works.register(command)),
  )
  t.is(answers.filter((answer) => answer.type === 'registered' && !answer.replayed).length, 1)
  t.is(new Set(answers.map((answer) => 'work' in answer && arkOf(answer.work))).size, 1)
  t.is(environment.status().treeSize, 1)
})

test('a change of a work that does not exist is not found and leaves no entity', async (t) => {
  const environment = await openRegistry(t)
  const ark = '12345/k2zzzzzzzzv'
  const answer = await environment.works.update({ ark, patch: {}, by: admin })
  t.deepEqual(answer, { type: 'not_found' })
  t.is(environment.status().liveEntities, 0)
})

test('a withdrawn work answers with its tombstone and refuses every further change', async (t) => {
  const environment = await openRegistry(t)
  const work = await register(environment, 'Gone')
  const ark = arkOf(work)
  const by = work.source
  const note = 'was a test'
  t.like(await environment.works.withdraw({ ark, reason: 'test', note, by }), { type: 'changed' })
  t.like(await environment.works.update({ ark, patch: { description: 'x' }, by }), { type: 'gone' })
  const rendered = await environment.catalogue.resolve(ark, ark)
  t.like(rendered, { type: 'found', status: 'withdrawn' })
  t.like(bodyOf(rendered), { work_title: 'Gone', reason: 'test', note, replaced_by: null })
  t.like(bodyOf(await environment.catalogue.receipt(ark, 1)), { statement: 'tombstoned' })
})

test('a registry of dated ARKs shows that form and finds works by either', async (t) => {
  const environment = await openRegistry(t, { dated: true, systemMs: () => Date.UTC(2026, 10, 5) })
  const work = await register(environment, 'Dated')
  t.is(work.ark_identifier, `ark:/12345/05112026/${work.svc_id}`)
  const parsed = parseArk(work.ark_identifier)
  t.like(parsed, { ark: `12345/${work.svc_id}`, date: '2026-11-05' })
  const ark = `12345/${work.svc_id}`
  t.like(bodyOf(await environment.catalogue.work(ark)), { ark_identifier: work.ark_identifier })
  t.like(bodyOf(await environment.catalogue.resolve(ark, ark)), {
    ark: work.ark_identifier,
    receipt: { ark: work.ark_identifier },
  })
  const changed = await environment.works.update({ ark, patch: { volume: '1' }, by: work.source })
  t.like(changed, { change: { ark_identifier: work.ark_identifier } })
})

const byte = fc.nat(255)
const stem = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...betanumerics), minLength, maxLength })

test('property: a minted name is an ARK with a right check and no tail', (t) => {
  const shoulders = fc.constantFrom('k2', 'v2', 'fk4', 'x', 'v')
  fc.assert(
    fc.property(stem(1, 12), shoulders, fc.infiniteStream(byte), (naan, shoulder, stream) => {
      const random = (count: number) => Uint8Array.from(stream.take(count))
      const name = mintName({ naan, shoulder, random })
      t.is(name.length, shoulder.length + bladeCharacters + 1)
      t.true(name.startsWith(shoulder))
      t.true(hasValidCheck(`${naan}/${name}`))
      t.notRegex(name.slice(shoulder.length), /[a-z]{3}/)
      t.false(readsAsTail(name))
      t.like(parseArk(`ark:/${naan}/${name}`), { naan, name })
    }),
  )
})

test('never mints a name that reads as a version', (t) => {
  // Only digits: with the shoulder v2, most such names are a v and a number.
  const random = (count: number) =>
    randomBytes(count).map((drawn) => (drawn % 8) * 29 + (drawn % 10))
  for (let round = 0; round < 200; round++) {
    t.notRegex(mintName({ naan: '12345', shoulder: 'v2', random }), /^v\d+$/)
  }
})

test('knows the tails of paths', (t) => {
  for (const tail of ['v2', 'v17', 'versions', 'history', 'verify', 'claim']) {
    t.true(readsAsTail(tail), tail)
  }
  for (const name of ['v', 'v2x', 'xv2', 'k2bcdfghjk9', 'claims']) t.false(readsAsTail(name), name)
})

test('randomness that never leads to a fit name is a bug', (t) => {
  const consonants = (count: number) => new Uint8Array(count).fill(10)
  t.throws(() => mintName({ naan: '12345', shoulder: 'k2', random: consonants }), {
    message: 'assertion failed: random bytes lead to a fit name',
  })
})

test('a NAAN and shoulder too long for the check character are a bug', (t) => {
  const naan = '9'.repeat(checkZoneMax - bladeCharacters - 2)
  t.throws(() => mintName({ naan, shoulder: 'k2', random: randomBytes }), {
    message: 'assertion failed: the check character covers the whole zone',
  })
  t.notThrows(() => mintName({ naan: naan.slice(1), shoulder: 'k2', random: randomBytes }))
})
