import type { LandingSources } from '#src/use_cases/landing_record.ts'
import type { PublicSite } from '#src/use_cases/public_site.ts'
import type { UsageReport } from '#src/use_cases/usage_report.ts'
import type { Representation } from '#src/edge/rendered_reply.ts'
import type { Commitment } from '#src/discovery/formats/erc.ts'
import type { FormatChoice } from '#src/discovery/formats/format_table.ts'
import type { ShownAt } from '#src/discovery/formats/resolution.ts'

/** What the page of a work is written from beside the work: data alone. */
export type LandingTask = {
  readonly sources: LandingSources
  readonly site: PublicSite
  /** How often the work was used, by month. */
  readonly usage?: UsageReport
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/** What is wanted of a work: a representation, or nothing but to know where things are. */
export type WantedRepresentation =
  | { readonly name: 'none' }
  | { readonly name: 'html'; readonly landing: LandingTask }
  | { readonly name: 'erc'; readonly commitment: Commitment | undefined }
  | { readonly name: 'linkset' }
  | { readonly name: 'links' }
  | FormatChoice

/** What a work is written from: data alone, so that another thread can write it. */
export type WorkTask = {
  /** The catalogue's JSON of the work, or of the tombstone in its place. */
  readonly resolution: Uint8Array
  readonly place: ShownAt
  readonly wanted: WantedRepresentation
}

/** What a reply about a work needs to know of it, however long it is. */
export type WrittenWork = Partial<Representation> & {
  /** The value of the Link header: of the page at the ARK, or of a description of the work. */
  readonly link: string
  /** Where the content is; undefined once the work was withdrawn. */
  readonly contentUrl: string | undefined
}
