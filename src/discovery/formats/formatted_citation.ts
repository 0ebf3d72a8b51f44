import { formatApa } from '#src/discovery/formats/apa.ts'
import { formatChicago } from '#src/discovery/formats/chicago.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { formatHarvard } from '#src/discovery/formats/harvard.ts'
import { formatIeee } from '#src/discovery/formats/ieee.ts'
import { formatMla } from '#src/discovery/formats/mla.ts'
import { formatVancouver } from '#src/discovery/formats/vancouver.ts'

type Style = { readonly label: string; readonly format: (work: DescribedWork) => string }

/** The styles of references, by name. */
export const citationStyles = {
  apa: { label: 'APA', format: formatApa },
  'chicago-author-date': { label: 'Chicago', format: formatChicago },
  mla: { label: 'MLA', format: formatMla },
  ieee: { label: 'IEEE', format: formatIeee },
  vancouver: { label: 'Vancouver', format: formatVancouver },
  harvard: { label: 'Harvard', format: formatHarvard },
} as const satisfies Record<string, Style>

export type CitationStyle = keyof typeof citationStyles

// The names that citation programs know the styles by.
const aliases = new Map<string, CitationStyle>([
  ['american-psychological-association', 'apa'],
  ['chicago', 'chicago-author-date'],
  ['modern-language-association', 'mla'],
  ['harvard1', 'harvard'],
  ['harvard-cite-them-right', 'harvard'],
])

/** The style of a name; APA if no style has it. */
export function citationStyle(name = ''): CitationStyle {
  const folded = name.toLowerCase()
  const isStyle = (text: string): text is CitationStyle => Object.hasOwn(citationStyles, text)
  return isStyle(folded) ? folded : (aliases.get(folded) ?? 'apa')
}

/** A reference to a work, a line of plain text. */
export function formatCitation(work: DescribedWork, style: CitationStyle): string {
  return `${citationStyles[style].format(work)}\n`
}
