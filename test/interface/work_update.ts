import { answered, forms, matches, refused, same } from '#test/interface/_expect.ts'
import { keyOfOthers } from '#test/interface/_keys.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import {
  allFields,
  changedWork,
  leastFields,
  register,
  type Sample,
  type WorkFields,
  writingKey,
} from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

async function update(world: World, { ark }: Sample, body: WorkFields) {
  return world.call(`PUT /v1/works/${ark}`, { key: await writingKey(world), body })
}

async function read(world: World, { ark }: Sample) {
  return answered(await world.call(`GET /api/v1/works/${ark}`), 200).body
}

/** A field takes another value, and all others stay. */
async function changes(world: World, field: string, value: string): Promise<void> {
  const sample = await changedWork(world)
  const before = await read(world, sample)
  answered(await update(world, sample, { [field]: value }), 200)
  const after = await read(world, sample)
  same(after[field], value, field)
  for (const name of Object.keys(sample.fields)) {
    if (name !== field) same(after[name], before[name], name)
  }
  same(after.version, before.version + 1, 'the version')
}

/** Changes of a work. */
export const workUpdate: Section = {
  name: 'An update of a work',
  rows: [
    row('an update is partial: what it does not name stays', (world) =>
      changes(world, 'description', world.name('Another abstract')),
    ),
    row('work_url can be updated', (world) =>
      changes(world, 'work_url', `https://works.example/moved-${world.run}`),
    ),
    row('description can be updated', (world) =>
      changes(world, 'description', world.name('A third abstract')),
    ),
    filled('updates', 'so can all other fields', async (world) => {
      await changes(world, 'work_title', world.name('Another title'))
      await changes(world, 'keywords', world.name('other keywords'))
    }),
    filled('updates', 'null removes what is not required', async (world) => {
      const sample = await register(world, allFields(world))
      answered(await update(world, sample, { keywords: null }), 200)
      same((await read(world, sample)).keywords, undefined, 'keywords')
      refused(await update(world, sample, { work_title: null }), 422, 'validation_failed')
    }),
    filled('updates', 'it is answered with the new version and its receipt', async (world) => {
      const sample = await register(world)
      const { body } = answered(await update(world, sample, { description: 'New.' }), 200)
      same([body.ark_identifier, body.version], [sample.ark, 2], 'ARK and version')
      same([body.kind, body.changed_fields], ['updated', ['description']], 'kind, changed_fields')
      matches(body.receipt_id, forms.receiptId, 'receipt_id')
      matches(body.metadata_hash, forms.hash, 'metadata_hash')
    }),
    filled('updates', 'without a difference there is no new version', async (world) => {
      const sample = await register(world)
      const { work_title } = sample.fields
      const { body } = answered(await update(world, sample, { work_title }), 200)
      same([body.unchanged, body.version], [true, 1], 'unchanged, version')
    }),
    filled('updates', 'If-Match keeps a change from being lost', async (world) => {
      const { ark } = await register(world)
      const sent = { key: await writingKey(world), headers: { 'if-match': '"another"' } }
      const reply = await world.call(`PUT /v1/works/${ark}`, { ...sent, body: leastFields(world) })
      refused(reply, 412, 'precondition_failed')
    }),
    filled('updates', 'what was read can be changed and sent back whole', async (world) => {
      const sample = await register(world)
      const whole = { ...(await read(world, sample)), description: 'Sent back.' }
      const { body } = answered(await update(world, sample, whole), 200)
      same(body.changed_fields, ['description'], 'changed_fields')
    }),
    filled('registrants', 'only who registered a work changes it', async (world) => {
      const { ark } = await register(world)
      const key = await keyOfOthers(world, 'works:write')
      const reply = await world.call(`PUT /v1/works/${ark}`, { key, body: { description: 'No.' } })
      const { body } = refused(reply, 403, 'forbidden')
      same(body.message, 'This work belongs to another registrant', 'message')
    }),
  ],
}
