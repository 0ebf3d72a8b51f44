import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  listOf,
  objectOf,
  paragraphsOf,
  wordOf,
} from '#actors/values/field_table.ts'
import { arkKind, doiKind } from '#actors/values/identifier.ts'
import { nameCharactersMax, noteCharactersMax } from '#actors/works/lengths.ts'
import { partialDateKind } from '#actors/works/rights.ts'

/** What a notice says of a work: retractions and the like (NISO RP-45-2024), then corrections. */
export const noticeKinds = [
  'retraction',
  'partial_retraction',
  'removal',
  'withdrawal',
  'expression_of_concern',
  'correction',
  'corrigendum',
  'erratum',
  'addendum',
  'clarification',
  'new_edition',
  'new_version',
] as const

export type NoticeKind = (typeof noticeKinds)[number]

/** Whether the notice is about this work, or this work is the notice. */
export const noticeDirections = ['of_this', 'by_this'] as const

/** What a notice says of the work that it is about, as a sentence or a badge begins with it. */
export const noticeNames: Readonly<Record<NoticeKind, string>> = {
  retraction: 'Retracted',
  partial_retraction: 'Partly retracted',
  removal: 'Removed',
  withdrawal: 'Withdrawn by its publisher',
  expression_of_concern: 'Expression of concern',
  correction: 'Corrected',
  corrigendum: 'Corrected',
  erratum: 'Corrected',
  addendum: 'Addendum',
  clarification: 'Clarified',
  new_edition: 'New edition',
  new_version: 'New version',
}

// In a work that these are about, readers must not trust what they read.
const graveKinds: ReadonlySet<NoticeKind> = new Set([
  'retraction',
  'partial_retraction',
  'removal',
  'withdrawal',
  'expression_of_concern',
])

/** Whether readers must know of a notice before they rely on the work. */
export function isGrave(kind: NoticeKind): boolean {
  return graveKinds.has(kind)
}

/** What notices are read from. */
export type NoticedMetadata = {
  readonly update_notices?: readonly UpdateNotice[] | undefined
  readonly existing_doi?: string | undefined
}

/**
 * The notices on a work, the gravest first. What the work is a notice of itself is none on it, and
 * neither is a new version that has the DOI of the work, as Crossref tells of some.
 */
export function noticesOn({ update_notices = [], existing_doi }: NoticedMetadata) {
  if (update_notices.length === 0) return []
  const rank = ({ kind }: UpdateNotice) => noticeKinds.indexOf(kind)
  return update_notices
    .filter(({ direction, doi }) => direction === 'of_this' && (!doi || doi !== existing_doi))
    .toSorted((a, b) => rank(a) - rank(b))
}

const sourcesMax = 20

const updateNoticeFields = fieldTable({
  kind: {
    kind: wordOf({
      words: noticeKinds,
      title: 'NoticeKind',
      others: {
        err: 'erratum',
        retracted: 'retraction',
        corrected: 'correction',
        concern: 'expression_of_concern',
        removed: 'removal',
        withdrawn: 'withdrawal',
      },
    }),
    required: true,
    about: 'What the notice says.',
    example: 'correction',
    alsoCalled: ['type', 'update_type'],
  },
  direction: {
    kind: wordOf({
      words: noticeDirections,
      title: 'NoticeDirection',
      others: { 'updated by': 'of_this', 'update to': 'by_this' },
    }),
    required: true,
    about: '`of_this` if the notice is about this work, `by_this` if this work is the notice.',
    example: 'of_this',
  },
  doi: {
    kind: doiKind,
    about: 'DOI of the notice; with `by_this`, of the work that it is about.',
    example: '10.1234/equilibrium.c1',
  },
  ark: {
    byNeed: true,
    kind: arkKind,
    about: 'ARK of the same.',
    example: 'ark:/12345/x6np1wh8k',
  },
  date: {
    kind: partialDateKind,
    about: 'When it was published.',
    example: '1877-03-01',
    alsoCalled: ['updated'],
  },
  by: {
    kind: lineOf(nameCharactersMax),
    about: 'Who published it.',
    example: 'Connecticut Academy of Arts and Sciences',
    alsoCalled: ['publisher'],
  },
  reason: {
    kind: paragraphsOf(noteCharactersMax),
    about: 'Why, in words.',
    example: 'Table 3 had two columns exchanged.',
    alsoCalled: ['note', 'label'],
  },
  sources: {
    byNeed: true,
    kind: listOf(lineOf(nameCharactersMax), sourcesMax),
    about: 'Who tells of it, such as the publisher and Retraction Watch.',
    example: ['publisher'],
    alsoCalled: ['source'],
  },
  record_id: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'Its number in the database of such a source.',
    example: '99999',
  },
})

/** A notice that a work was retracted, corrected or the like, or that it retracts another one. */
export type UpdateNotice = FieldValues<typeof updateNoticeFields>

export const updateNoticeKind: FieldKind<UpdateNotice> = objectOf(
  'UpdateNotice',
  updateNoticeFields,
  (notice: UpdateNotice, path: string, faults: FaultList) => {
    const { direction, doi, ark } = notice
    if (direction === 'of_this' || (doi ?? ark) !== undefined) return notice
    const message = `${path}.doi or ${path}.ark is required: it says which work the notice is about`
    faults.add(`${path}.doi`, 'required', message)
    return undefined
  },
)
