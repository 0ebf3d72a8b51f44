import { formatApa } from '#src/formats/apa.ts'
import type { DescribedWork } from '#src/formats/described_work.ts'

/** The styles of references, by name. */
export const citationStyles = {
  apa: { label: 'APA, 7th edition', format: formatApa },
} as const satisfies Record<
  string,
  { readonly label: string; readonly format: (work: DescribedWork) => string }
>

export type CitationStyle = keyof typeof citationStyles

// What the styles are called elsewhere.
const aliases: Readonly<Record<string, CitationStyle>> = {}

/** The style of a name; APA if there is none of that name. */
export function citationStyle(name: string | undefined): CitationStyle {
  const known = name?.toLowerCase() ?? ''
  return (
    (Object.keys(citationStyles) as CitationStyle[]).find((style) => style === known) ??
    aliases[known] ??
    'apa'
  )
}

/** A reference to a work, a line of plain text. */
export function formatCitation(work: DescribedWork, style: CitationStyle): string {
  return `${citationStyles[style].format(work)}\n`
}
