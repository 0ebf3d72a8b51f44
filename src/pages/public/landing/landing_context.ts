import type { UsageReport } from '#src/use_cases/usage_report.ts'
import type { Html } from '#src/pages/kit/html.ts'

/** Something else about a work, and where it is. */
export type NamedLink = { readonly name: string; readonly href: string }

/** A work as it is cited in a style, and where that is as plain text. */
export type CitedStyle = NamedLink & { readonly style: string; readonly text: string }

/** How a work is cited: ready to be copied in each style, and as files. */
export type CitationOffer = {
  /** None where nothing is known to cite. */
  readonly styles: readonly CitedStyle[]
  readonly downloads: readonly NamedLink[]
}

/** What the page of a work is told beside the work. */
export type LandingContext = {
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  /** The address of the page: it names the version if that was asked for by its number. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** The typed links of the page, as elements of its head. */
  readonly linkElements: Html
  /** The work in the vocabulary of schema.org, as JSON. */
  readonly jsonLd: string | undefined
  readonly citation: CitationOffer
  /** How often the work was used. */
  readonly usage?: UsageReport
  /** Other descriptions for programs: link set, feed, OAI record. */
  readonly machineLinks: readonly NamedLink[]
  /** Where somebody says that they are an author; undefined where nobody does. */
  readonly claimUrl?: string
}
