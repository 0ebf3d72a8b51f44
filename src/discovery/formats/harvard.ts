import { citedNames } from '#src/discovery/formats/author_names.ts'
import { citedAddress, containment } from '#src/discovery/formats/citation_facts.ts'
import {
  commaList,
  initials,
  invertedCitedName,
  labelledPages,
  listNames,
  present,
  sentences,
} from '#src/discovery/formats/citation_text.ts'
import { type DescribedWork, yearOf } from '#src/discovery/formats/described_work.ts'

/** Authors beyond whom Harvard shows the first. */
const authorsMax = 3

/** A reference in the style of Harvard, as “Cite Them Right” has it. */
export function formatHarvard(work: DescribedWork): string {
  const { metadata, authors, publisher } = work
  const { work_title, container_title: container, volume = '', issue, pages } = metadata
  const names = citedNames(authors).map((name) =>
    invertedCitedName(name, (given) => initials(given, { after: '.', between: '' })),
  )
  const author =
    names.length > authorsMax
      ? `${names[0]} et al.`
      : listNames(names, { and: 'and', comma: 'never' })
  const kind = containment(work)
  const year = `(${yearOf(metadata) ?? 'n.d.'})`
  const title = kind === 'none' ? work_title : `‘${work_title}’`
  const number = `${volume}${issue === undefined ? '' : `(${issue})`}`
  const where = container && (kind === 'journal' ? container : `in ${container}`)
  const place = commaList([title, where, number, labelledPages(pages, 'p.', 'pp.')])
  const head = present([author, year, place]).join(' ')
  const imprint = kind === 'journal' ? undefined : publisher
  return sentences([head, imprint, `Available at: ${citedAddress(work)}`])
}
