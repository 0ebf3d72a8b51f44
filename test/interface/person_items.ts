import { answered, forms, holds, matches, refused, same } from '#test/interface/_expect.ts'
import { tokenOf } from '#test/interface/_people.ts'
import type { Json } from '#test/interface/_request.ts'
import { filled, row, type Row, type Section } from '#test/interface/_row.ts'
import type { World } from '#test/interface/_world.ts'

type Fields = Readonly<Record<string, unknown>>

/** A list of what a person is or has been, with an example of an entry. */
type List = {
  readonly path: 'affiliations' | 'education'
  readonly word: string
  readonly required: string
  readonly year: string
  readonly example: Readonly<Record<string, string>>
}

const affiliations: List = {
  path: 'affiliations',
  word: 'affiliation',
  required: 'organization',
  year: 'start_year',
  example: {
    organization: 'University of London',
    role: 'Professor',
    department: 'Mathematics',
    start_year: '2021',
  },
}

const education: List = {
  path: 'education',
  word: 'education record',
  required: 'institution',
  year: 'year',
  example: { degree: 'PhD in Mathematics', institution: 'University of London', year: '2015' },
}

async function add(world: World, { path }: List, body: Fields) {
  const key = await tokenOf(world, 'svc:affiliations:write')
  return world.call(`POST /api/v1/user/${path}`, { key, body })
}

async function entries(world: World, { path }: List): Promise<Json[]> {
  const key = await tokenOf(world, 'svc:affiliations:read')
  return answered(await world.call(`GET /api/v1/user/${path}`, { key }), 200).body[path]
}

/** The rows of one list. */
function rowsOf(list: List): Row[] {
  const { path, word, required, year, example } = list
  const entry = (world: World) =>
    world.once(`entry of ${path}`, async () => answered(await add(world, list, example), 201).body)
  return [
    ...Object.entries(example).map(([field, value]) =>
      row(`${word}: ${field} is a text, taken and given back`, async (world) => {
        const { id } = await entry(world)
        const found = (await entries(world, list)).find((each: Json) => each.id === id)
        same(found?.[field], value, field)
        const reply = await add(world, list, { ...example, [field]: 2021 })
        refused(reply, 422, 'validation_failed')
      }),
    ),
    row(`${word}: ${year} is a year`, async (world) => {
      for (const wrong of ['last year', '21', '2021-05']) {
        refused(await add(world, list, { ...example, [year]: wrong }), 422, 'validation_failed')
      }
    }),
    filled('affiliations-and-education', `${word}: only ${required} is required`, async (world) => {
      const body = { [required]: world.name('Institute') }
      answered(await add(world, list, body), 201)
      const { [required]: _, ...others } = example
      refused(await add(world, list, others), 422, 'validation_failed')
    }),
    filled(
      'affiliations-and-education',
      `${word}: the answer has an id, the source and the state`,
      async (world) => {
        const body = await entry(world)
        matches(body.id, /\S/, 'id')
        same([body.status, body.visibility], ['active', 'public'], 'status, visibility')
        same([body.source.type, body.source.id], ['organization', 'demo'], 'source')
        matches(body.created_at, forms.time, 'created_at')
      },
    ),
    filled(
      'affiliations-and-education',
      `${word}: written again by the same source it is changed, with 200`,
      async (world) => {
        const { id } = await entry(world)
        const { body } = answered(await add(world, list, example), 200)
        same(body.id, id, 'id')
      },
    ),
    filled('affiliations-and-education', `${word}: PUT and DELETE by its id`, async (world) => {
      const key = await tokenOf(world, 'svc:affiliations:write')
      const { body } = answered(await add(world, list, { [required]: world.name('Other') }), 201)
      const at = `/api/v1/user/${path}/${body.id}`
      const changed = await world.call(`PUT ${at}`, { key, body: { [year]: '2019' } })
      same(answered(changed, 200).body[year], '2019', year)
      answered(await world.call(`DELETE ${at}`, { key }), 200)
      const left = await entries(world, list)
      holds(
        left.every((each: Json) => each.id !== body.id),
        'it is gone',
      )
    }),
  ]
}

/** Affiliations and education. */
export const personItems: Section = {
  name: 'Affiliations and education',
  rows: [...rowsOf(affiliations), ...rowsOf(education)],
}
