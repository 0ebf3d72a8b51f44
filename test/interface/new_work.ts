import { answered, holds, refused, same } from '#test/interface/_expect.ts'
import { type Attempt, filled, row, type Row, type Section } from '#test/interface/_row.ts'
import {
  allFields,
  leastFields,
  readingKey,
  register,
  sampleWork,
  type WorkFields,
  writingKey,
} from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'

/** Asks whether a work would be registered, and registers nothing. */
async function validate(world: World, fields: WorkFields) {
  return world.call('POST /v1/works/validate', { key: await writingKey(world), body: fields })
}

/** A field comes back from a reader as it was sent. */
function kept(field: string): Attempt {
  return async (world) => {
    const { ark, fields } = await sampleWork(world)
    const { body } = answered(await world.call(`GET /api/v1/works/${ark}`), 200)
    same(body[field], fields[field], field)
  }
}

/** A field of a work to be registered is refused, by its name. */
async function refusedField(world: World, field: string, value: unknown): Promise<void> {
  const reply = await validate(world, { ...leastFields(world), [field]: value })
  refused(reply, 422, 'validation_failed')
  same(reply.body.details[0].field, field, 'the field that is named')
}

const meanings = {
  work_title: 'the title',
  work_type: 'the kind of work',
  authors: 'the names of the authors in one text',
  description: 'the abstract',
  work_url: 'where the work is',
  existing_doi: 'the DOI that the work has already',
  keywords: 'keywords in one text',
  language: 'the language',
  license: 'the identifier of the license',
} as const

const required = {
  work_title: 'work_title is required',
  work_type: 'work_type is required',
  authors: 'authors is required',
} as const

/** What is sent to register a work. */
export const newWork: Section = {
  name: 'A work that is sent',
  rows: [
    row('it is sent as JSON', async (world) => {
      await register(world)
      const sent = { key: await writingKey(world), headers: { 'content-type': 'text/csv' } }
      const reply = await world.call('POST /v1/works', { ...sent, body: 'a,b' })
      refused(reply, 415, 'unsupported_media_type')
    }),
    row('all nine fields are texts: a value of another type is refused', async (world) => {
      for (const field of Object.keys(meanings)) await refusedField(world, field, 7)
    }),
    ...Object.entries(meanings).map(([field, meaning]) =>
      row(`${field}: ${meaning}, taken and given back`, kept(field)),
    ),
    row('work_type can be article', async (world) => {
      answered(await validate(world, { ...leastFields(world), work_type: 'article' }), 200)
    }),
    filled(
      'kinds-of-works',
      'the other kinds of works are listed, and each is taken',
      async (world) => {
        const { body } = answered(await world.call('GET /v1/work-types'), 200)
        const names: readonly string[] = body.work_types.map(
          (each: WorkFields) => each['work_type'],
        )
        holds(
          names.length > 10 && names.includes('article'),
          'there are kinds beside article',
          names,
        )
        for (const work_type of names) {
          answered(await validate(world, { ...leastFields(world), work_type }), 200)
        }
      },
    ),
    filled('kinds-of-works', 'a kind that is none is refused', async (world) => {
      await refusedField(world, 'work_type', 'poem-in-stone')
    }),
    ...Object.entries(required).map(([field, message]) =>
      filled('required-fields', `${field} is required`, async (world) => {
        const { [field]: _, ...others } = leastFields(world)
        const reply = refused(await validate(world, others), 422, 'validation_failed')
        const told = { field, code: 'required', message }
        same(reply.body.details, [told], 'what is wrong')
      }),
    ),
    filled('required-fields', 'work_url or existing_doi is required', async (world) => {
      const { work_url: _, ...others } = leastFields(world)
      refused(await validate(world, others), 422, 'validation_failed')
      answered(await validate(world, { ...others, existing_doi: '10.5555/alone' }), 200)
    }),
    filled('required-fields', 'all that is wrong is told at once', async (world) => {
      const { body } = refused(await validate(world, {}), 422, 'validation_failed')
      const fields = body.details.map((fault: WorkFields) => fault['field'])
      same(fields, ['authors', 'work_title', 'work_type', 'work_url'], 'the fields')
    }),
    row('authors are parted by commas', async (world) => {
      const { ark } = await sampleWork(world)
      const { body } = await world.call(`GET /v1/resolve/${ark}`)
      const names = body.authors.map((author: WorkFields) => author['name'])
      same(names, ['Ada Lovelace', 'Luigi Menabrea'], 'the authors')
    }),
    filled('texts', 'semicolons part authors whose names have commas', async (world) => {
      const authors = 'Lovelace, Ada; Menabrea, Luigi'
      const { ark } = await register(world, { ...leastFields(world), authors })
      const { body } = await world.call(`GET /v1/resolve/${ark}`)
      same(body.authors.length, 2, 'the number of authors')
      same(body.metadata.authors, authors, 'the text of the authors')
    }),
    row('work_url is a URL', async (world) => {
      for (const url of ['notes', 'ftp://works.example/notes', '//works.example']) {
        await refusedField(world, 'work_url', url)
      }
    }),
    row(
      'existing_doi has no URL before it: one that is sent with it is kept without',
      async (world) => {
        const fields = {
          ...allFields(world),
          existing_doi: `https://doi.org/10.5555/u${world.run}`,
        }
        const { ark } = await register(world, fields)
        const { body } = await world.call(`GET /api/v1/works/${ark}`)
        same(body.existing_doi, `10.5555/u${world.run}`, 'existing_doi')
      },
    ),
    row('existing_doi is a DOI', (world) => refusedField(world, 'existing_doi', 'twelve')),
    row('keywords are parted by commas', async (world) => {
      const { ark } = await sampleWork(world)
      const { text } = await world.call(`GET /api/v1/works/${ark}/citation?format=dc`)
      for (const word of ['engines', 'numbers']) {
        holds(text.includes(`<dc:subject>${word}</dc:subject>`), `${word} is a subject`, text)
      }
    }),
    row('language is a code of two letters', (world) => refusedField(world, 'language', 'x1')),
    filled('texts', 'what certainly means a language is taken, with a warning', async (world) => {
      const reply = await validate(world, { ...leastFields(world), language: 'English' })
      const { body } = answered(reply, 200)
      same(body.warnings[0]?.field, 'language', 'the field that is warned of')
    }),
    row('license is an identifier', (world) => refusedField(world, 'license', 'do as you like')),
    filled('further-fields', 'further fields are taken and given back', async (world) => {
      const further = {
        published_date: '1843-09',
        publisher_name: 'Taylor',
        container_title: 'Scientific Memoirs',
        volume: '3',
        pages: '666–731',
      }
      const { ark } = await register(world, { ...leastFields(world), ...further })
      const { body } = await world.call(`GET /api/v1/works/${ark}`)
      for (const [field, value] of Object.entries(further)) same(body[field], value, field)
    }),
    filled('further-fields', 'a field that is none is refused, and not dropped', async (world) => {
      await refusedField(world, 'colour', 'blue')
    }),
    filled('texts', 'an empty text is refused, null is as good as nothing', async (world) => {
      await refusedField(world, 'description', '')
      answered(await validate(world, { ...leastFields(world), description: null }), 200)
    }),
    filled(
      'duplicates',
      'the same DOI and title again are refused, with the ARK',
      async (world) => {
        const first = await register(world, allFields(world))
        const sent = { key: await writingKey(world), body: first.fields }
        const reply = refused(await world.call('POST /v1/works', sent), 409, 'duplicate_work')
        same(reply.body.existing_ark, first.ark, 'existing_ark')
        answered(await world.call('POST /v1/works?allow_duplicate=true', sent), 201)
      },
    ),
    filled(
      'duplicates',
      'without a DOI, the same title and address within a day are refused',
      async (world) => {
        const first = await register(world)
        const sent = { key: await writingKey(world), body: first.fields }
        const reply = refused(await world.call('POST /v1/works', sent), 409, 'duplicate_work')
        same(reply.body.existing_ark, first.ark, 'existing_ark')
      },
    ),
    filled(
      'retries',
      'a request with the same Idempotency-Key is carried out once',
      async (world) => {
        const headers = { 'idempotency-key': world.name('request').replaceAll(' ', '-') }
        const sent = { key: await writingKey(world), body: leastFields(world), headers }
        const first = answered(await world.call('POST /v1/works', sent), 201)
        const again = answered(await world.call('POST /v1/works', sent), 201)
        same(again.body.ark_identifier, first.body.ark_identifier, 'the ARK')
        same(again.headers.get('idempotent-replayed'), 'true', 'Idempotent-Replayed')
      },
    ),
    filled('further-operations', 'many works are sent at once', async (world) => {
      const works = [leastFields(world), {}]
      const sent = { key: await writingKey(world), body: { works } }
      const { body } = answered(await world.call('POST /v1/works/bulk', sent), 200)
      const statuses = body.results.map((result: WorkFields) => result['status'])
      same(statuses, [201, 422], 'what became of them')
    }),
    filled('register-or-update', 'a DOI registers a work, and then replaces it', async (world) => {
      const doi = world.name('10.5555/put').replaceAll(' ', '-')
      const { existing_doi: _, ...fields } = allFields(world)
      const key = await writingKey(world)
      const put = (body: WorkFields) => world.call(`PUT /v1/works/by-doi/${doi}`, { key, body })
      const first = answered(await put(fields), 201)
      const { keywords: _keywords, ...others } = fields
      const { body } = answered(await put(others), 200)
      same(body.ark_identifier, first.body.ark_identifier, 'the ARK')
      same(body.changed_fields, ['keywords'], 'changed_fields')
      const listed = await world.call(`GET /v1/works/by-doi/${doi}`, {
        key: await readingKey(world),
      })
      same(answered(listed, 200).body.works.length, 1, 'the number of works with the DOI')
    }),
    filled('many-at-once', 'works that are here are changed by the same request', async (world) => {
      const { ark } = await register(world)
      const { fields } = await sampleWork(world)
      const works = [{ ark, description: 'By many.' }, fields, leastFields(world)]
      const body = works.map((work) => JSON.stringify(work)).join('\n')
      const headers = { 'content-type': 'application/x-ndjson' }
      const sent = { key: await writingKey(world), headers, body }
      const request = 'POST /v1/works/bulk?update=true&dry_run=true'
      const { text } = answered(await world.call(request, sent), 200)
      const results: readonly WorkFields[] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      same(
        results.map((result) => result['status']),
        [200, 200, 200],
        'what would become of them',
      )
      const changes = results.slice(0, 2).map((result) => result['changed_fields'])
      same(changes, [['description'], []], 'changed_fields')
    }),
  ] satisfies Row[],
}
