import test from 'ava'

import type { WorkType } from '#actors/values/work_type.ts'
import { headTags } from '#src/pages/public/landing/head_tags.ts'
import { ark, context, workWith } from '#test/src/pages/public/landing/_records.ts'
import { english } from '#src/words/language.ts'

/** The tags of a name, or of a property, in order. */
function tagsOf(html: string, name: string): string[] {
  const pattern = /<meta (?:name|property)="([^"]*)" content="([^"]*)">/g
  return [...html.matchAll(pattern)].flatMap(([, key, content = '']) =>
    key === name ? [decode(content)] : [],
  )
}

function decode(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
}

const live = { environment: 'live' } as const

const rich = workWith({
  metadata: {
    work_title: 'Order & "things" <b>',
    work_type: 'conference_paper',
    authors: 'Ada Ox; Pen, Bo',
    existing_doi: '10.5555/abc',
    published_date: '2026-01-02',
    keywords: 'one, two',
    language: 'en',
    license: 'CC-BY-4.0',
    publisher_name: 'A Press',
    container_title: 'Proceedings',
    pages: '12–34',
    description: 'x'.repeat(400),
  },
  authors: [
    { name: 'Ada Ox', given: 'Ada', family: 'Ox', orcid: '0000-0002-1825-0097', claims: [] },
    { name: 'Pen, Bo', affiliation: 'A Press', claims: [] },
  ],
})

test('Google Scholar finds what it asks for: each author in a tag of its own', (t) => {
  const html = headTags(live, rich, context).html(english)
  const expected = {
    citation_title: ['Order & "things" <b>'],
    citation_author: ['Ox, Ada', 'Pen, Bo'],
    citation_author_institution: ['A Press'],
    citation_author_orcid: ['https://orcid.org/0000-0002-1825-0097'],
    citation_publication_date: ['2026/01/02'],
    citation_online_date: ['2026/01/01'],
    citation_doi: ['10.5555/abc'],
    citation_abstract_html_url: [`https://registry.example/${ark}`],
    citation_language: ['en'],
    citation_keywords: ['one', 'two'],
    citation_publisher: ['A Press'],
    citation_conference_title: ['Proceedings'],
    citation_firstpage: ['12'],
    citation_lastpage: ['34'],
    // The content is on another host, where this page cannot vouch for a PDF.
    citation_pdf_url: [],
    'DC.creator': ['Ox, Ada', 'Pen, Bo'],
    'DC.identifier': [`https://registry.example/${ark}`],
    'og:image': [`https://registry.example/card?ark=${ark}`],
    'og:title': ['Order & "things" <b>'],
    description: [`${'x'.repeat(300)}…`],
    robots: [],
  }
  for (const [name, contents] of Object.entries(expected)) {
    t.deepEqual(tagsOf(html, name), contents, name)
  }
})

test('tags that nothing is known for are left out', (t) => {
  const html = headTags(live, workWith(), context).html(english)
  t.false(html.includes('undefined'))
  t.deepEqual(tagsOf(html, 'citation_publication_date'), [])
  t.deepEqual(tagsOf(html, 'citation_doi'), [])
})

test('Zotero is told what a work is where no other tag says it', (t) => {
  const typeOf = (work_type: WorkType) => {
    const work = workWith({ metadata: { ...rich.metadata, work_type } })
    return tagsOf(headTags(live, work, context).html(english), 'z.itemType')
  }
  t.deepEqual(typeOf('software'), ['computerProgram'])
  t.deepEqual(typeOf('image'), ['artwork'])
  t.deepEqual(typeOf('other'), ['document'])
  t.deepEqual(typeOf('article'), [])
})

test('an older version names itself, and the sandbox is not to be listed', (t) => {
  const older = workWith({ version: 2, latest_version: 3, is_latest: false })
  const url = `${context.url}/v2`
  const html = headTags({ environment: 'sandbox' }, older, { ...context, url }).html(english)
  t.true(html.includes(`<link rel="canonical" href="https://registry.example/${ark}/v2">`))
  t.deepEqual(tagsOf(html, 'robots'), ['noindex'])
})

test('nothing in the data for programs ends its element', (t) => {
  const jsonLd = JSON.stringify({ name: '</script><script>alert(1)</script>' })
  const html = headTags(live, workWith(), { ...context, jsonLd }).html(english)
  t.is(html.split('</script').length, 2)
  const [, data = ''] = /<script type="application\/ld\+json">([^]*)<\/script>/.exec(html) ?? []
  t.deepEqual(JSON.parse(data), { name: '</script><script>alert(1)</script>' })
})
