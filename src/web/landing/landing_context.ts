import type { Html } from '#src/web/page.ts'

/** A work in a form for programs, and where it is. */
export type MachineLink = { readonly name: string; readonly href: string }

/** How a work is cited: ready to be copied, in other styles, and as files. */
export type CitationOffer = {
  /** In the first of the styles; undefined where nothing is known to cite. */
  readonly text: string | undefined
  readonly styles: readonly MachineLink[]
  readonly downloads: readonly MachineLink[]
}

/** What the page of a work is told beside the work. */
export type LandingContext = {
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The typed links of the page, as elements of its head. */
  readonly linkElements: Html
  /** The work in the vocabulary of schema.org, as JSON. */
  readonly jsonLd: string | undefined
  readonly citation: CitationOffer
  /** Other descriptions for programs: link set, feed, OAI record. */
  readonly machineLinks: readonly MachineLink[]
}
