import { type CitedName, citedNames } from '#src/discovery/formats/author_names.ts'
import { citedAddress, containment } from '#src/discovery/formats/citation_facts.ts'
import {
  commaList,
  dashed,
  invertedCitedName,
  listNames,
  naturalName,
  present,
  quoted,
  sentences,
} from '#src/discovery/formats/citation_text.ts'
import { type DescribedWork, yearOf } from '#src/discovery/formats/described_work.ts'

/** Authors beyond whom Chicago shows the first seven. */
const authorsMax = 10
const authorsShown = 7

/** A reference in the author-date style of the Chicago Manual, 17th edition. */
export function formatChicago(work: DescribedWork): string {
  const { metadata, authors, publisher } = work
  const year = yearOf(metadata) ?? 'n.d.'
  const title = titleText(work)
  const head = authors.length === 0 ? [title, year] : [authorText(citedNames(authors)), year, title]
  const isJournal = containment(work) === 'journal'
  return sentences([
    ...head,
    sourceText(work),
    isJournal ? undefined : publisher,
    citedAddress(work),
  ])
}

/** The first author is found in an alphabetical list; the others have their own order. */
function authorText(authors: readonly CitedName[]): string {
  const full = (given: string) => given
  const names = authors.map((name, index) =>
    index === 0 ? invertedCitedName(name, full) : naturalName(name, full),
  )
  if (names.length > authorsMax) return `${names.slice(0, authorsShown).join(', ')}, et al.`
  return listNames(names, { and: 'and', comma: 'always' })
}

function titleText(work: DescribedWork): string {
  const title = work.metadata.work_title
  return containment(work) === 'none' ? title : quoted(title)
}

function sourceText(work: DescribedWork): string | undefined {
  const { container_title: container, volume, issue, pages } = work.metadata
  if (containment(work) !== 'journal') {
    const parts = [volume && `vol. ${volume}`, issue && `no. ${issue}`, dashed(pages)]
    const where = container && `In ${container}`
    return commaList([where, ...parts])
  }
  const number = present([volume, issue && (volume ? `(${issue})` : `no. ${issue}`)]).join(' ')
  const place = present([container, number]).join(' ')
  return pages === undefined ? place : place === '' ? dashed(pages) : `${place}: ${dashed(pages)}`
}
