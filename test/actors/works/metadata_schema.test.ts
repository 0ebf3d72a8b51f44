import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { newOrganizationSchema } from '#actors/organizations/rules.ts'
import {
  checkNewWork,
  metadataSchema,
  newVersionSchema,
  newWorkSchema,
  withdrawalSchema,
  workUpdateSchema,
} from '#actors/works/request_checks.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'

const ajv = new Ajv2020({ strict: true, strictTypes: false })

const stored = generateWorks(7, 200).map((body) => {
  const checked = checkNewWork(body)
  if (checked.type === 'invalid') throw new Error(JSON.stringify(checked.faults))
  return checked.metadata
})

type FieldSchema = {
  readonly description: string
  readonly examples: readonly unknown[]
  readonly enum?: readonly string[]
  readonly maxLength?: number
}

/** A schema as JSON, as it is published. */
function published(schema: unknown): { readonly properties: Record<string, FieldSchema> } {
  return JSON.parse(JSON.stringify(schema)) as { properties: Record<string, FieldSchema> }
}

for (const [name, schema] of Object.entries({
  newWorkSchema,
  workUpdateSchema,
  newVersionSchema,
  metadataSchema,
})) {
  test(`${name} takes what is stored, and no unknown field`, (t) => {
    const validate = ajv.compile(published(schema))
    for (const metadata of stored) t.true(validate(metadata), ajv.errorsText(validate.errors))
    t.false(validate({ ...stored[0], title: 'x' }))
    t.false(validate({ ...stored[0], volume: 7 }))
    t.false(validate({ ...stored[0], work_title: 'x'.repeat(2_001) }))
    t.false(validate({ ...stored[0], author_details: [{ orchid: 'x' }] }))
  })
}

test('the generated works cover every type and field', (t) => {
  const full = stored.slice(0, workTypeNames.length)
  t.deepEqual(
    full.map((metadata) => metadata.work_type),
    workTypeNames,
  )
  const fields = Object.keys(published(metadataSchema).properties).toSorted()
  for (const metadata of full) t.deepEqual(Object.keys(metadata), fields)
  const languages = new Set(stored.map((metadata) => metadata.language))
  t.true(languages.size > 20, `only ${languages.size} languages`)
})

test('null is for what may be left out of a request', (t) => {
  const creation = ajv.compile(published(newWorkSchema))
  const update = ajv.compile(published(workUpdateSchema))
  t.true(creation({ ...stored[0], volume: null }))
  t.false(creation({ ...stored[0], work_title: null }))
  t.false(creation({}))
  t.true(update({ volume: null }))
  t.false(update({ work_title: null }))
  t.true(update({}))
  t.false(ajv.compile(published(metadataSchema))({ ...stored[0], volume: null }))
  t.false(update({ version_note: 'x' }))
  t.true(ajv.compile(published(newVersionSchema))({ version_note: 'x' }))
})

test('every field is described, with an example that is right', (t) => {
  const { properties } = published(metadataSchema)
  for (const [name, field] of Object.entries(properties)) {
    t.regex(field.description, /\.$/, name)
    t.is(field.examples.length, 1, name)
  }
  const examples = Object.entries(properties).map(([name, field]) => [name, field.examples[0]])
  const checked = checkNewWork(Object.fromEntries(examples))
  t.deepEqual(checked.type === 'invalid' ? checked.faults : [], [])
  t.deepEqual(properties['work_type']?.enum, workTypeNames)
  t.is(properties['description']?.maxLength, 50_000)
})

test('the other bodies are described too', (t) => {
  const withdrawal = ajv.compile(published(withdrawalSchema))
  t.true(withdrawal({ reason: 'duplicate', replaced_by: 'ark:/12345/x' }))
  t.false(withdrawal({ reason: 'whim' }))
  const organization = ajv.compile(published(newOrganizationSchema))
  t.true(organization({ slug: 'demo', name: 'Demo', aliases: ['D'], ror: null }))
  t.false(organization({ slug: 'demo' }))
})
