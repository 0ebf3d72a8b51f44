import { citedNames } from '#src/discovery/formats/author_names.ts'
import { citedAddress, containment, monthNames } from '#src/discovery/formats/citation_facts.ts'
import {
  dashed,
  initials,
  invertedCitedName,
  present,
  sentences,
} from '#src/discovery/formats/citation_text.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'

/** Authors beyond whom Vancouver says that there are others. */
const authorsMax = 6

/** A reference in the style of Vancouver, as the National Library of Medicine describes it. */
export function formatVancouver(work: DescribedWork): string {
  const { metadata, authors } = work
  const names = citedNames(authors).map((name) =>
    invertedCitedName(name, (given) => initials(given, { after: '', between: '' }), ' '),
  )
  const shown = names.slice(0, authorsMax).join(', ')
  const author = names.length > authorsMax ? `${shown}, et al.` : shown
  const title = `${metadata.work_title} [Internet]`
  return present([
    sentences([author, title, ...sourceText(work)]),
    `Available from: ${citedAddress(work)}`,
  ]).join(' ')
}

function sourceText(work: DescribedWork): readonly (string | undefined)[] {
  const { metadata, publisher } = work
  const { container_title: container, volume = '', issue, pages } = metadata
  const date = dateText(metadata.published_date)
  const number = `${volume}${issue === undefined ? '' : `(${issue})`}`
  if (containment(work) === 'journal') {
    const place = number === '' ? '' : `;${number}`
    return [container, `${date}${place}${pages === undefined ? '' : `:${dashed(pages)}`}`]
  }
  const where = container && `In: ${container}`
  const imprint = publisher === undefined ? date : `${publisher}; ${date}`
  return [where, imprint, volume && `Vol. ${number}`, pages && `p. ${dashed(pages)}`]
}

function dateText(date: string | undefined): string {
  if (date === undefined) return 'n.d.'
  const [year, month, day] = date.split('-')
  const name = month && monthNames[Number(month) - 1]?.slice(0, 3)
  return present([String(Number(year)), name, day && String(Number(day))]).join(' ')
}
