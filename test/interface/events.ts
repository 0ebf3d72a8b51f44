import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { answered, holds, matches, same } from '#test/interface/_expect.ts'
import { keyOf } from '#test/interface/_keys.ts'
import { documentPath } from '#test/interface/_outcome.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { sampleWork } from '#test/interface/_works.ts'

const documentFile = path.join(import.meta.dirname, '../..', documentPath)

/** What the registry tells of by itself. */
export const events: Section = {
  name: 'Events',
  rows: [
    filled('events', 'webhooks are made for an organization', async (world) => {
      const { body } = answered(await world.call('GET /openapi.json?aliases=true'), 200)
      const paths = Object.keys(body.paths).filter((each) => each.endsWith('webhooks'))
      holds(paths.includes('/v1/organizations/{slug}/webhooks'), 'they are described', paths)
    }),
    filled(
      'events',
      'what is planned is written down: kinds, and how they are signed',
      async () => {
        const text = await readFile(documentFile, 'utf8')
        const kinds = ['work.created', 'work.updated', 'affiliation.added', 'profile.updated']
        for (const word of [...kinds, 'HMAC-SHA256']) holds(text.includes(word), `${word} is named`)
      },
    ),
    filled('events', 'what happens to works is read in order, from a feed', async (world) => {
      const { ark } = await sampleWork(world)
      const key = await keyOf(world, 'works:read')
      const { body } = answered(await world.call('GET /v1/changes?limit=1000', { key }), 200)
      const own = body.changes.filter((change: Json) => change.ark === ark)
      same(own[0]?.type, 'work.registered', 'the first change of the work')
      holds(Number.isInteger(body.next), 'the next page has a number', body.next)
    }),
    row('harvesting is pull-based', async (world) => {
      const { text } = answered(await world.call('GET /api/v1/oai?verb=Identify'), 200)
      matches(text, /<earliestDatestamp>/, 'the reply')
    }),
  ],
}
