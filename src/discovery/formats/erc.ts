import { invertedName } from '#src/discovery/formats/author_names.ts'
import type { DescribedAuthor } from '#src/discovery/formats/described_work.ts'

/** What a description of a work says; times are `YYYY-MM-DDThh:mm:ss.sssZ`. */
export type ErcRecord = {
  readonly authors: readonly DescribedAuthor[]
  readonly title: string
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, where known. */
  readonly publishedDate: string | undefined
  /** The address of the ARK at this resolver. */
  readonly url: string
  readonly updatedAt: string
  /** Why and when the work was withdrawn; absent while it stands. */
  readonly withdrawal?: { readonly reason: string; readonly at: string }
}

/** Who stands behind the identifiers, and where the promise is written. */
export type Commitment = {
  readonly repository: string
  readonly policyUrl: string
  /** Whether the identifier is meant to last: those of a sandbox are not. */
  readonly isPermanent: boolean
}

/** The ratings of permanence that are given here, in the words of the NLM. */
const ratings = { permanent: 'Permanent: Dynamic Content:', none: 'Not Guaranteed' }

type Line = readonly [name: string, value: string]

/**
 * An Electronic Resource Citation of a work (ERC in ANVL, `text/plain`): who, what, when, where,
 * and, with a commitment, how long the identifier will be kept (`erc-support`), and who keeps this
 * description and since when it stands (`meta-erc`).
 */
export function formatErc(work: ErcRecord, commitment?: Commitment): string {
  const lines: Line[] = [
    ['erc', ''],
    ['who', work.authors.map(invertedName).join('; ')],
    ['what', work.title],
    ['when', work.publishedDate?.replaceAll('-', '') ?? '(:unav)'],
    ['where', work.url],
  ]
  if (work.withdrawal !== undefined) {
    const { reason, at } = work.withdrawal
    lines.push(['note', `withdrawn on ${dayOf(at)} (${reason})`])
  }
  if (commitment !== undefined) {
    lines.push(
      ['erc-support', ''],
      ['who', commitment.repository],
      ['what', commitment.isPermanent ? ratings.permanent : ratings.none],
      ['when', dayOf(work.updatedAt)],
      ['where', commitment.policyUrl],
      ['meta-erc', ''],
      ['who', commitment.repository],
      ['what', 'This description'],
      ['when', dayOf(work.updatedAt)],
      ['where', `${work.url}?info`],
    )
  }
  return lines.map(formatLine).join('')
}

function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10).replaceAll('-', '')
}

// ANVL: a value ends with its line, so line ends and the escape itself are escaped.
function formatLine([name, value]: Line): string {
  if (value === '') return `${name}:\n`
  const escaped = value.replaceAll('%', '%25').replaceAll('\n', '%0A').replaceAll('\r', '%0D')
  return `${name}: ${escaped}\n`
}
