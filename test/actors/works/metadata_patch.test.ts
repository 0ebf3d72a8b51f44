import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { canonicalJson, orderedJson } from '#actors/values/serialization.ts'
import type { Metadata, MetadataPatch } from '#actors/works/metadata.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'
import {
  applyPatch,
  checkNewVersion,
  checkNewWork,
  checkWorkPatch,
} from '#actors/works/request_checks.ts'

const least = {
  work_title: 'A title',
  work_type: 'article',
  authors: 'Ada Gibbs',
  work_url: 'https://example.org/a.pdf',
}

function metadataOf(t: ExecutionContext, body: unknown): Metadata {
  const checked = checkNewWork(body)
  if (checked.type === 'ok') return checked.metadata
  t.fail(checked.faults.map((fault) => fault.message).join('; '))
  throw new Error('the body is refused')
}

test('a patch may change little and remove much', (t) => {
  t.deepEqual(checkWorkPatch({}), { type: 'ok', patch: {}, warnings: [] })
  const patch = { volume: null, work_title: ' New ', language: 'DE' }
  t.deepEqual(checkWorkPatch(patch), {
    type: 'ok',
    patch: { language: 'de', volume: null, work_title: 'New' },
    warnings: [],
  })
  t.deepEqual(checkWorkPatch({ work_title: null, keywords: 3 }), {
    type: 'invalid',
    faults: [
      { field: 'keywords', code: 'wrong_type', message: 'keywords must be a string, not a number' },
      { field: 'work_title', code: 'required', message: 'work_title cannot be removed' },
    ],
  })
})

test('only a new version has a note', (t) => {
  const body = { volume: '2', version_note: 'Corrects table 3.\n' }
  t.deepEqual(checkNewVersion(body), {
    type: 'ok',
    patch: { volume: '2' },
    warnings: [],
    versionNote: 'Corrects table 3.',
  })
  t.deepEqual(checkNewVersion({ volume: '2', version_note: null }), {
    type: 'ok',
    patch: { volume: '2' },
    warnings: [],
  })
  t.like(checkWorkPatch(body), {
    type: 'invalid',
    faults: [{ field: 'version_note', code: 'unknown_field' }],
  })
})

test('a patch is merged, and says what has changed', (t) => {
  const metadata = metadataOf(t, { ...least, volume: '1', funding: [{ funder: 'x' }] })
  const patch: MetadataPatch = { volume: null, keywords: 'a', funding: [{ funder: 'x' }] }
  t.deepEqual(applyPatch(metadata, patch), {
    type: 'ok',
    metadata: metadataOf(t, { ...least, keywords: 'a', funding: [{ funder: 'x' }] }),
    changedFields: ['keywords', 'volume'],
  })
})

test('the last place of a work cannot be removed', (t) => {
  const metadata = metadataOf(t, least)
  const message = 'work_url or existing_doi is required'
  t.deepEqual(applyPatch(metadata, { work_url: null }), {
    type: 'invalid',
    faults: [{ field: 'work_url', code: 'required', message }],
  })
  t.is(applyPatch(metadata, { work_url: null, existing_doi: '10.1234/a' }).type, 'ok')
})

test('a declared hash goes with the address it was declared for', (t) => {
  const content_hash = `sha256:${'0a'.repeat(32)}`
  const metadata = metadataOf(t, { ...least, content_hash })
  t.like(applyPatch(metadata, { work_url: 'https://example.org/b.pdf' }), {
    metadata: metadataOf(t, { ...least, work_url: 'https://example.org/b.pdf' }),
    changedFields: ['content_hash', 'work_url'],
  })
  t.like(applyPatch(metadata, { work_url: 'https://example.org/b.pdf', content_hash }), {
    changedFields: ['work_url'],
  })
  t.like(applyPatch(metadata, { work_url: least.work_url }), { changedFields: [] })
})

test('property: patches keep the laws of metadata', (t) => {
  const seeds = fc.nat(1_000)
  fc.assert(
    fc.property(seeds, seeds, (seed, other) => {
      const before = metadataOf(t, generateWorks(seed, 1)[0])
      const patch = metadataOf(t, generateWorks(other, 1)[0])
      t.deepEqual(applyPatch(before, before), {
        type: 'ok',
        metadata: before,
        changedFields: [],
      })
      const patched = applyPatch(before, patch)
      if (patched.type === 'invalid') return t.fail()
      t.is(orderedJson(patched.metadata), canonicalJson(patched.metadata))
      t.deepEqual(metadataOf(t, patched.metadata), patched.metadata)
      t.like(patched.metadata, patch)
      t.deepEqual(applyPatch(patched.metadata, patch), {
        type: 'ok',
        metadata: patched.metadata,
        changedFields: [],
      })
    }),
  )
})
