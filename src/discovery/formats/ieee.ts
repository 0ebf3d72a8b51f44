import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import { containment, monthNames } from '#src/discovery/formats/citation_facts.ts'
import {
  commaList,
  initials,
  labelledPages,
  listNames,
  naturalName,
  present,
  quoted,
  sentences,
} from '#src/discovery/formats/citation_text.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'

/** Authors beyond whom IEEE shows the first. */
const authorsMax = 6

// Months of five letters or less stand in full, but for those of the style's own list.
const months = monthNames.map((name) => {
  if (name.length <= 4) return name
  return `${name.slice(0, name === 'September' ? 4 : 3)}.`
})

/** A reference in the style of the Institute of Electrical and Electronics Engineers. */
export function formatIeee(work: DescribedWork): string {
  const { metadata, authors, publisher, url } = work
  const { container_title: container, volume, issue, pages, existing_doi: doi } = metadata
  const kind = containment(work)
  const title = kind === 'none' ? metadata.work_title : quoted(metadata.work_title, ',')
  const source = commaList([
    container && (kind === 'journal' ? container : `in ${container}`),
    volume && `vol. ${volume}`,
    issue && `no. ${issue}`,
    kind === 'journal' ? undefined : publisher,
    dateText(metadata.published_date),
    labelledPages(pages, 'p.', 'pp.'),
    doi && `doi: ${doi}`,
  ])
  const names = authors.length === 0 ? undefined : authorText(citedNames(authors))
  // The comma after a title in quotation marks stands within them.
  const titled = kind === 'none' ? commaList([title, source]) : present([title, source]).join(' ')
  const online = doi === undefined ? `[Online]. Available: ${url}` : undefined
  return present([sentences([commaList([names, titled])]), online]).join(' ')
}

function authorText(authors: readonly CitedName[]): string {
  const names = authors.map((name) =>
    naturalName(name, (given) => initials(given, { after: '.', between: ' ' })),
  )
  if (names.length > authorsMax) return `${names[0]} et al.`
  return listNames(names, { and: 'and', comma: 'more than two' })
}

function dateText(date: string | undefined): string {
  if (date === undefined) return 'n.d.'
  const [year, month, day] = date.split('-')
  const named = present([month && months[Number(month) - 1], day && String(Number(day))]).join(' ')
  return (
    commaList([day && named, day ? String(Number(year)) : `${named} ${Number(year)}`.trim()]) ?? ''
  )
}
