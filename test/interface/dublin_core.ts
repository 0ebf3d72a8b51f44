import { harvest, plainAdapter, recordQuery } from '#test/interface/_adapter.ts'
import { holds, same } from '#test/interface/_expect.ts'
import { contentType } from '#test/interface/_content_site.ts'
import { filled, row, type Section } from '#test/interface/_row.ts'
import { allFields, checkedWork, register, sampleWork } from '#test/interface/_works.ts'
import { untilHarvested } from '#test/interface/_adapter.ts'
import type { World } from '#test/interface/_world.ts'
import { child, type ReadElement, texts } from '#test/src/_xml.ts'

/** The Dublin Core of the sample. */
async function sampleRecord(world: World): Promise<ReadElement> {
  const { ark } = await sampleWork(world)
  return recordIn(await harvest(world, await plainAdapter(world), recordQuery(ark)))
}

function recordIn(reply: ReadElement): ReadElement {
  return child(reply, 'GetRecord', 'record', 'metadata', 'oai_dc:dc')
}

/** A work of which publisher and date are known. */
function publishedWork(world: World): Promise<ReadElement> {
  return world.once('published work', async () => {
    const published = { publisher_name: 'Taylor', published_date: '1843-09' }
    const details = [
      { name: 'Ada Lovelace', given: 'Ada', family: 'Lovelace' },
      { name: 'Luigi Menabrea' },
    ]
    const fields = { ...allFields(world), ...published, author_details: details }
    const { ark } = await register(world, fields)
    return recordIn(await untilHarvested(world, await plainAdapter(world), ark))
  })
}

/** What fields become in Dublin Core. */
export const dublinCore: Section = {
  name: 'Dublin Core',
  rows: [
    row('ark is dc:identifier', async (world) => {
      const [first] = texts(await sampleRecord(world), 'dc:identifier')
      same(first, (await sampleWork(world)).ark, 'the first identifier')
    }),
    row('title is dc:title', async (world) => {
      const { fields } = await sampleWork(world)
      same(texts(await sampleRecord(world), 'dc:title'), [fields['work_title']], 'dc:title')
    }),
    row('each name of an author is a dc:creator', async (world) => {
      const creators = texts(await sampleRecord(world), 'dc:creator')
      same(creators, ['Ada Lovelace', 'Luigi Menabrea'], 'dc:creator')
    }),
    filled(
      'dublin-core',
      'a name whose parts are known has the family name first',
      async (world) => {
        const creators = texts(await publishedWork(world), 'dc:creator')
        same(creators, ['Lovelace, Ada', 'Luigi Menabrea'], 'dc:creator')
      },
    ),
    row('abstract is dc:description', async (world) => {
      const { fields } = await sampleWork(world)
      const found = texts(await sampleRecord(world), 'dc:description')
      same(found, [fields['description']], 'dc:description')
    }),
    row('each subject is a dc:subject', async (world) => {
      const found = texts(await sampleRecord(world), 'dc:subject')
      same(found, ['engines', 'numbers'], 'dc:subject')
    }),
    row('publisher_name is dc:publisher', async (world) => {
      same(texts(await publishedWork(world), 'dc:publisher'), ['Taylor'], 'dc:publisher')
    }),
    filled('dublin-core', 'without one, dc:publisher is the organization', async (world) => {
      const found = texts(await sampleRecord(world), 'dc:publisher')
      same(found, ['Demonstration'], 'dc:publisher')
    }),
    row('published_date is dc:date', async (world) => {
      same(texts(await publishedWork(world), 'dc:date'), ['1843-09'], 'dc:date')
    }),
    filled('dublin-core', 'without one, dc:date is the day of the registration', async (world) => {
      const { created } = await sampleWork(world)
      const found = texts(await sampleRecord(world), 'dc:date')
      same(found, [created.created_at.slice(0, 10)], 'dc:date')
    }),
    row('a second dc:identifier is the URL of the DOI', async (world) => {
      const { fields } = await sampleWork(world)
      const [, second] = texts(await sampleRecord(world), 'dc:identifier')
      same(second, `https://doi.org/${String(fields['existing_doi'])}`, 'the second identifier')
    }),
    filled('dublin-core', 'a third one is the address of the ARK', async (world) => {
      const { ark } = await sampleWork(world)
      const found = texts(await sampleRecord(world), 'dc:identifier')
      holds(found.includes(`${world.place.baseUrl}/${ark}`), 'it is there', found)
    }),
    row('dc:type', async (world) => {
      const found = texts(await sampleRecord(world), 'dc:type')
      const coar = 'http://purl.org/coar/resource_type/c_6501'
      same(found, ['article', 'info:eu-repo/semantics/article', coar], 'dc:type')
    }),
    row('dc:format is the media type', async (world) => {
      await checkedWork(world)
      same(texts(await sampleRecord(world), 'dc:format'), [contentType], 'dc:format')
    }),
    row('dc:language', async (world) => {
      same(texts(await sampleRecord(world), 'dc:language'), ['en'], 'dc:language')
    }),
    row('dc:rights', async (world) => {
      const [first] = texts(await sampleRecord(world), 'dc:rights')
      same(first, 'https://creativecommons.org/licenses/by/4.0/', 'dc:rights')
    }),
    filled(
      'dublin-core',
      'texts are as they were sent, whatever signs they have',
      async (world) => {
        const title = `${world.name('Signs')} <&"']]> 𝛼 é`
        const { ark } = await register(world, { ...allFields(world), work_title: title })
        const reply = await untilHarvested(world, await plainAdapter(world), ark)
        same(texts(recordIn(reply), 'dc:title'), [title], 'dc:title')
      },
    ),
  ],
}
