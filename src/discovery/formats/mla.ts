import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import { citedAddress, containment, monthNames } from '#src/discovery/formats/citation_facts.ts'
import {
  commaList,
  invertedCitedName,
  labelledPages,
  naturalName,
  present,
  quoted,
  sentences,
} from '#src/discovery/formats/citation_text.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'

/** A reference in the style of the Modern Language Association, 9th edition. */
export function formatMla(work: DescribedWork): string {
  const { metadata, authors, publisher } = work
  const { work_title, container_title, volume, issue, pages } = metadata
  const isWhole = containment(work) === 'none'
  const isJournal = containment(work) === 'journal'
  const container = commaList([
    container_title,
    volume && `vol. ${volume}`,
    issue && `no. ${issue}`,
    isJournal ? undefined : publisher,
    dateText(metadata.published_date),
    labelledPages(pages, 'p.', 'pp.'),
    citedAddress(work),
  ])
  const author = authors.length === 0 ? undefined : authorText(citedNames(authors))
  return sentences([author, isWhole ? work_title : quoted(work_title), container])
}

function authorText(names: readonly CitedName[]): string {
  const full = (given: string) => given
  const [first, second] = names
  const inverted = first === undefined ? '' : invertedCitedName(first, full)
  if (second === undefined) return inverted
  return names.length > 2 ? `${inverted}, et al.` : `${inverted}, and ${naturalName(second, full)}`
}

/** `28 Feb. 2024`, `Mar. 2024` or `2024`: months of more than four letters are shortened. */
function dateText(date: string | undefined): string {
  if (date === undefined) return 'n.d.'
  const [year, month, day] = date.split('-')
  const name = month && monthNames[Number(month) - 1]
  const short = name && name.length > 4 ? `${name.slice(0, name === 'September' ? 4 : 3)}.` : name
  return present([day && String(Number(day)), short, year && String(Number(year))]).join(' ')
}
