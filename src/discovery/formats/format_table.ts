import { formatBiblatex, formatBibtex } from '#src/discovery/formats/bibtex.ts'
import {
  crossrefNamespace,
  formatCrossref,
  formatNewCrossref,
  lackOfDeposit,
  newCrossrefNamespace,
} from '#src/discovery/formats/crossref_deposit.ts'
import { formatCslJson } from '#src/discovery/formats/csl_json.ts'
import { formatCsv } from '#src/discovery/formats/csv_row.ts'
import {
  dataciteNamespace,
  formatDataciteJson,
  formatDataciteXml,
} from '#src/discovery/formats/datacite.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { formatDublinCore } from '#src/discovery/formats/dublin_core.ts'
import { type CitationForm, formatCitation } from '#src/discovery/formats/citation_styles.ts'
import { formatJats, jatsProfile } from '#src/discovery/formats/jats.ts'
import { formatMods, modsNamespace } from '#src/discovery/formats/mods.ts'
import {
  formatOpenaire,
  lackForOpenaire,
  openaireNamespace,
} from '#src/discovery/formats/openaire.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { formatSchemaOrg } from '#src/discovery/formats/schema_org.ts'
import type { DescriptionLink } from '#src/discovery/formats/signposting.ts'
import { formatTurtle } from '#src/discovery/formats/turtle.ts'

/** What decides whether a work can be written in a format. */
export type FormatSource = Pick<DescribedWork, 'content'> & {
  readonly metadata: Partial<DescribedWork['metadata']>
}

/** A way to write a work down. */
export type Format = {
  /** What people call it. */
  readonly label: string
  /** The media type that it is sent with, then others that ask for it. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** The ending of the name of a file; without it, the format is no file to keep. */
  readonly extension?: string
  /** The URI of the schema or vocabulary that it follows. */
  readonly profile?: string
  readonly render: (work: DescribedWork, form: CitationForm) => string
  /** Why a work is not written so, as a clause; undefined if it is. Without it, every work is. */
  readonly lacks?: (work: FormatSource) => string | undefined
}

/** The formats by name. */
export const formats = {
  csl: {
    label: 'CSL-JSON',
    mediaTypes: ['application/vnd.citationstyles.csl+json', 'application/citeproc+json'],
    extension: 'csl.json',
    render: formatCslJson,
  },
  bibtex: {
    label: 'BibTeX',
    mediaTypes: ['application/x-bibtex', 'text/x-bibtex'],
    extension: 'bib',
    render: formatBibtex,
  },
  ris: {
    label: 'RIS',
    mediaTypes: ['application/x-research-info-systems'],
    extension: 'ris',
    render: formatRis,
  },
  biblatex: {
    label: 'BibLaTeX',
    mediaTypes: ['application/x-biblatex', 'text/x-biblatex'],
    extension: 'biblatex.bib',
    render: formatBiblatex,
  },
  citation: {
    label: 'Formatted citation',
    mediaTypes: ['text/x-bibliography'],
    render: formatCitation,
  },
  jsonld: {
    label: 'JSON-LD (schema.org)',
    mediaTypes: ['application/ld+json', 'application/vnd.schemaorg.ld+json'],
    extension: 'jsonld',
    profile: 'https://schema.org',
    render: formatSchemaOrg,
  },
  turtle: {
    label: 'Turtle (schema.org)',
    mediaTypes: ['text/turtle', 'application/x-turtle'],
    extension: 'ttl',
    profile: 'https://schema.org',
    render: formatTurtle,
  },
  'datacite-xml': {
    label: 'DataCite XML',
    // Those who ask for any XML get the fullest.
    mediaTypes: ['application/vnd.datacite.datacite+xml', 'application/xml'],
    extension: 'datacite.xml',
    profile: dataciteNamespace,
    render: formatDataciteXml,
  },
  'datacite-json': {
    label: 'DataCite JSON',
    mediaTypes: ['application/vnd.datacite.datacite+json'],
    extension: 'datacite.json',
    profile: dataciteNamespace,
    render: formatDataciteJson,
  },
  dc: {
    label: 'Dublin Core',
    mediaTypes: ['application/x-dc+xml'],
    extension: 'dc.xml',
    profile: 'http://purl.org/dc/elements/1.1/',
    render: formatDublinCore,
  },
  jats: {
    label: 'JATS',
    mediaTypes: ['application/vnd.jats+xml', 'application/jats+xml'],
    extension: 'jats.xml',
    profile: jatsProfile,
    render: formatJats,
  },
  mods: {
    label: 'MODS',
    mediaTypes: ['application/mods+xml'],
    extension: 'mods.xml',
    profile: modsNamespace,
    render: formatMods,
  },
  'crossref-xml': {
    label: 'Crossref deposit XML',
    mediaTypes: ['application/vnd.crossref.deposit+xml'],
    extension: 'crossref.xml',
    profile: crossrefNamespace,
    render: formatCrossref,
    lacks: lackOfDeposit,
  },
  'crossref-xml-5.5': {
    label: 'Crossref deposit XML 5.5.0',
    mediaTypes: ['application/vnd.crossref.deposit-5.5+xml'],
    extension: 'crossref.xml',
    profile: newCrossrefNamespace,
    render: formatNewCrossref,
    lacks: lackOfDeposit,
  },
  openaire: {
    label: 'OpenAIRE',
    mediaTypes: ['application/x-oaire+xml'],
    extension: 'oaire.xml',
    profile: openaireNamespace,
    render: formatOpenaire,
    lacks: lackForOpenaire,
  },
  csv: {
    label: 'CSV',
    mediaTypes: ['text/csv'],
    extension: 'csv',
    render: formatCsv,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

/** The names of the formats, in the order of the table. */
export const formatNames = Object.keys(formats) as readonly FormatName[]

/** Representations at an ARK that are not among the formats, with their media types. */
const others = {
  html: ['text/html'],
  json: ['application/json', 'application/vnd.svc+json'],
  erc: ['text/plain'],
  linkset: ['application/linkset+json'],
  links: ['application/linkset'],
} as const

/** A representation of a work, as `?format=` names it. */
export type RepresentationName = keyof typeof others | FormatName

/** All representations at an ARK, in the order in which a range such as `text/*` means one. */
export const representationNames: readonly RepresentationName[] = [
  'html',
  'json',
  'erc',
  ...formatNames,
  'linkset',
  'links',
]

/** What a client is given: a representation, and how a citation is written. */
export type Choice = CitationForm & {
  readonly name: RepresentationName
  /** Whether it was asked for by the address, as by a link that saves a file. */
  readonly isExport: boolean
}

/** A choice that is one of the formats. */
export type FormatChoice = Choice & { readonly name: FormatName }

/** The media types of a representation: the one that it is sent with, then others. */
export function mediaTypesOf(name: RepresentationName): readonly [string, ...string[]] {
  return name in formats ? formats[name as FormatName].mediaTypes : others[name as 'html']
}

/** The media type that a representation is sent with. */
export function mediaTypeOf(name: RepresentationName): string {
  return mediaTypesOf(name)[0]
}

/** The descriptions of a work for programs; `url` is the address of its ARK, or of a version. */
export function descriptionsOf(url: string, work: FormatSource): readonly DescriptionLink[] {
  return formatNames.flatMap((name) => {
    const { lacks, mediaTypes, profile }: Format = formats[name]
    if (lacks?.(work) !== undefined) return []
    const href = `${url}?format=${name}`
    return [{ href, type: mediaTypes[0], ...(profile !== undefined && { profile }) }]
  })
}
