import test from 'ava'

import { HttpError } from '#src/edge/errors.ts'
import { chooseFormat, chooseRepresentation } from '#src/http/arks/ark_request.ts'

/** What a header and a query choose at an ARK, in a word. */
function chosen(accept: string | undefined, wish = {}): string {
  try {
    const choice = chooseRepresentation(accept, wish)
    if (choice === undefined) return 'any'
    return choice === 'content' ? choice : choice.name
  } catch (error) {
    if (error instanceof HttpError) return error.code
    throw error
  }
}

const cases: readonly (readonly [accept: string | undefined, name: string])[] = [
  [undefined, 'any'],
  ['*/*', 'any'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['application/x-bibtex;q=0.3, application/vnd.citationstyles.csl+json;q=0.7', 'csl'],
  ['application/x-bibtex, application/citeproc+json', 'bibtex'],
  ['application/vnd.crossref.unixref+xml, application/ld+json;q=0.1', 'jsonld'],
  ['application/vnd.crossref.unixref+xml, */*;q=0.1', 'any'],
  ['application/vnd.crossref.unixref+xml', 'not_acceptable'],
  ['application/vnd.schemaorg.ld+json', 'jsonld'],
  ['application/vnd.svc+json', 'json'],
  ['application/linkset', 'links'],
  ['application/linkset+json', 'linkset'],
  ['application/*', 'json'],
  ['text/*;q=0.5, text/csv', 'csv'],
  ['text/plain', 'erc'],
  ['text/turtle', 'turtle'],
  ['application/xml', 'datacite-xml'],
]

for (const [accept, name] of cases) {
  test(`at an ARK, Accept ${accept} is ${name}`, (t) => {
    t.is(chosen(accept), name)
  })
}

test('the address goes before the header', (t) => {
  t.is(chosen('text/html', { format: 'ris' }), 'ris')
  t.is(chosen('application/x-bibtex', { format: 'RIS' }), 'not_acceptable')
  t.is(chosen(undefined, { format: 'toString' }), 'not_acceptable')
})

test('the media type of the content leads there, by its name alone', (t) => {
  const pdf = (accept: string) => {
    const choice = chooseRepresentation(accept, {}, 'Application/PDF; version=1.7')
    return typeof choice === 'string' ? choice : choice?.name
  }
  t.is(pdf('application/pdf'), 'content')
  t.is(pdf('application/pdf;q=0.9, text/html;q=0.1'), 'content')
  t.is(pdf('text/html, application/pdf;q=0.9'), 'html')
  t.is(pdf('application/*'), 'json')
  t.is(pdf('image/png, */*;q=0.1'), undefined)
  t.is(pdf('*/*'), undefined)
})

test('a refusal lists what there is', (t) => {
  const error = t.throws(() => chooseFormat('image/png', {}), { instanceOf: HttpError })
  t.is(error?.code, 'not_acceptable')
  t.regex(error?.message ?? '', /^There are application\/vnd\.citationstyles\.csl\+json, /)
  const listed = error?.extra['formats'] as string[] | undefined
  t.deepEqual(listed?.slice(0, 3), ['csl', 'bibtex', 'ris'])
})

test('as a citation, JSON is CSL-JSON and pages are none', (t) => {
  t.is(chooseFormat('application/json', {})?.name, 'csl')
  t.is(chooseFormat('text/html, */*;q=0.1', {}), undefined)
  t.is(chooseFormat('text/x-bibliography; style=mla', { style: 'ieee' })?.style, 'ieee')
  t.is(chooseFormat('text/x-bibliography; locale=de-DE', {})?.locale, 'de-DE')
  t.is(chooseFormat('text/x-bibliography; locale=de', { locale: 'fr' })?.locale, 'fr-FR')
})
