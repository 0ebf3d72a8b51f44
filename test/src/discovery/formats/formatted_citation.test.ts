import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import {
  type CitationStyle,
  citationForm,
  citationLocale,
  citationStyles,
  formatCitation,
  usualForm,
} from '#src/discovery/formats/citation_styles.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'

const doi = 'https://doi.org/10.1234/equilibrium'
const url = 'https://registry.example/ark:/12345/k2bcd45g7h3'
const title = 'On the Equilibrium of Heterogeneous Substances'
const journal = 'Transactions of the Connecticut Academy'

const articles: Readonly<Record<CitationStyle, string>> = {
  apa: `Gibbs, J. W., & von Helmholtz, H. (1876). ${title}. ${journal}, 3(2), 108–248. ${doi}`,
  'chicago-author-date':
    `Gibbs, Josiah Willard, and Hermann von Helmholtz. 1876. “${title}.” ` +
    `${journal} 3 (2): 108–248. ${doi}.`,
  mla:
    `Gibbs, Josiah Willard, and Hermann von Helmholtz. “${title}.” ${journal}, vol. 3, no. 2, ` +
    `Oct. 1876, pp. 108–248, ${doi}.`,
  ieee:
    `J. W. Gibbs and H. von Helmholtz, “${title},” ${journal}, vol. 3, no. 2, ` +
    'pp. 108–248, Oct. 1876, doi: 10.1234/equilibrium.',
  vancouver:
    `Gibbs JW, von Helmholtz H. ${title}. ${journal}. 1876 Oct;3(2):108–248. ` +
    'doi:10.1234/equilibrium',
  harvard:
    `Gibbs, J.W. and von Helmholtz, H. (1876) “${title},” ${journal}, 3(2), pp. 108–248. ` +
    `Available at: ${doi}.`,
}

const undated: Metadata = {
  work_title: 'What is light?',
  work_type: 'dataset',
  authors: 'Ada Ox, Bo Pen, ATLAS Collaboration',
}

const datasets: Readonly<Record<CitationStyle, string>> = {
  apa:
    'Ox, A., Pen, B., & ATLAS Collaboration. (n.d.). What is light? [Dataset]. ' +
    `A Press. Retrieved ${url}`,
  'chicago-author-date':
    'Ox, Ada, Bo Pen, and ATLAS Collaboration. n.d. “What Is Light?” A Press. '.concat(`${url}.`),
  mla: `Ox, Ada, et al. What Is Light? A Press, ${url}.`,
  ieee:
    'A. Ox, B. Pen, and ATLAS Collaboration, “What is light?” A Press. ' +
    `[Online]. Available: ${url}`,
  vancouver:
    'Ox A, Pen B, ATLAS Collaboration. What is light? [Internet]. A Press. ' +
    `Available from: ${url}`,
  harvard:
    'Ox, A., Pen, B., and ATLAS Collaboration (no date) “What is light?” A Press. ' +
    `Available at: ${url}.`,
}

for (const style of Object.keys(citationStyles) as CitationStyle[]) {
  const form = { ...usualForm, style }

  test(`${style} cites an article, and a dataset without a date`, (t) => {
    t.is(formatCitation(describedWork(fullMetadata), form), `${articles[style]}\n`)
    t.is(formatCitation(describedWork(undated), form), `${datasets[style]}\n`)
  })

  test(`${style} names some of many authors`, (t) => {
    const family = (index: number) => `F${String.fromCharCode(97 + index)}x`
    const authors = Array.from({ length: 25 }, (_, index) => `${family(index)}, Ada`).join('; ')
    const text = formatCitation(describedWork({ ...undated, authors }), form)
    t.true(text.includes(family(0)))
    t.regex(text, style === 'apa' ? /Fsx, A\., … Fyx, A\. \(n\.d\.\)/ : /et al\./)
    t.false(text.includes(family(23)))
  })
}

function formOf(style: string, locale = '') {
  const found = citationForm(style, locale)
  return found.type === 'ok' ? found.form : found
}

test('styles have the names of citation programs', (t) => {
  const names = ['Modern-Language-Association', 'chicago', 'harvard1', '']
  t.deepEqual(
    names.map((name) => formOf(name)),
    ['mla', 'chicago-author-date', 'harvard', 'apa'].map((style) => ({ style, locale: 'en-US' })),
  )
  for (const name of ['nature', 'http://www.zotero.org/styles/nature', 'Nature.csl']) {
    t.deepEqual(formOf(name), { style: 'nature', locale: undefined })
  }
})

test('a name that no style has is refused with those near it', (t) => {
  const misspelt = citationForm('vancuver')
  t.is(misspelt.type === 'unknown' && misspelt.near[0], 'vancouver')
  const found = citationForm('americanmedical-association')
  const near = found.type === 'unknown' ? found.near : []
  t.is(near[0], 'american-medical-association')
  t.is(new Set(near).size, 5)
  for (const name of ['qzxv', '苔', '-', 'x'.repeat(10_000)]) {
    t.deepEqual(formOf(name), { type: 'unknown', near: [] }, name)
  }
})

test('a language is asked for by its name, and others are US English', (t) => {
  const names = ['de-DE', 'DE', 'fr_CA', 'en-gb', 'pt', 'ja', 'de-LU', 'xx-XX', '', 'toString']
  t.deepEqual(
    names
      .map((name) => citationForm('', name))
      .map((found) => found.type === 'ok' && found.form.locale),
    ['de-DE', 'de-DE', 'fr-CA', 'en-GB', 'pt-BR', 'ja-JP', 'de-DE', 'en-US', 'en-US', 'en-US'],
  )
})

test('a style has its own language where none is asked for', (t) => {
  const work = describedWork({ ...moss, work_title: 'Über Moos' })
  const style = 'springer-vancouver-brackets'
  t.is(citationLocale({ style, locale: undefined }), 'en-US')
  const own = { style: 'iso690-author-date-fr', locale: undefined }
  t.is(citationLocale(own), 'fr-FR')
  t.regex(formatCitation(work, own), /Disponible à l/)
  t.is(citationLocale({ ...own, locale: 'de-DE' }), 'de-DE')
})

const moss: Metadata = {
  work_title: 'Moss',
  work_type: 'report',
  authors: 'Roe, Jane;',
  published_date: '2014-06-03',
  publisher_name: 'Press',
}

const dates: Readonly<Record<string, string>> = {
  'en-US': '2014 Jun.',
  'en-GB': '2014 Jun.',
  'de-DE': 'Juni 2014.',
  'es-ES': 'junio de 2014.',
  'fr-FR': 'juin 2014.',
  'it-IT': 'giugno 2014.',
  'nl-NL': 'juni 2014.',
  'pt-BR': 'junho de 2014.',
}

for (const [locale, date] of Object.entries(dates)) {
  test(`a reference in ${locale} has the dates of the language`, (t) => {
    const text = formatCitation(describedWork(moss), { style: 'vancouver', locale })
    t.is(/; (.*?\.)/.exec(text)?.[1], date)
  })
}
