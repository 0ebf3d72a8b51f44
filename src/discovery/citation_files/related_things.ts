import { FaultList } from '#actors/values/fault_list.ts'
import {
  explainShortDoi,
  foldIsbn,
  isIssn,
  readShortDoi,
  recognizeIsbn,
  recognizeIssn,
} from '#actors/values/identifier.ts'
import { type RelatedIdentifier, relatedIdentifierKind } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { readDoi } from '#src/discovery/citation_files/addresses.ts'
import type { FieldNotes } from '#src/discovery/citation_files/citation_file.ts'
import type { SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import { codeRepositoryNote } from '#src/discovery/formats/described_work.ts'

/** A related identifier, if its relation and its scheme are some of ours. */
export function readRelated(
  relation: string,
  scheme: string,
  identifier: string | undefined,
  at: FieldNotes,
  more: Readonly<Record<string, unknown>> = {},
): readonly RelatedIdentifier[] {
  if (identifier === undefined) return []
  const related = relatedOf(relation, scheme, identifier, more)
  if (related !== undefined) return [related]
  const short = /^doi$/i.test(scheme) ? readShortDoi(identifier) : undefined
  const none = 'we have no such relation, scheme or identifier'
  const why = short === undefined ? none : explainShortDoi(short)
  at.notRead(`${relation} ${scheme} ${identifier}`, why)
  return []
}

/** The same without a note: undefined if it is none of ours. */
export function relatedOf(
  relation: string,
  scheme: string,
  identifier: string,
  more: Readonly<Record<string, unknown>>,
): RelatedIdentifier | undefined {
  const known = /^doi$/i.test(scheme) ? (readDoi(identifier) ?? identifier) : identifier
  const value = { relation, scheme, identifier: known, ...definedOf(more) }
  return relatedIdentifierKind.read(value, '', new FaultList())
}

/** A number of what holds a work, with its medium if that is known. */
export type HoldingNumber = { readonly value: string; readonly kind?: string | undefined }

/**
 * The ISSNs or ISBNs of what holds a work. Those whose check digit is wrong are kept as they are
 * printed, among the related identifiers.
 */
export function holdingNumbers(
  scheme: 'ISSN' | 'ISBN',
  numbers: readonly HoldingNumber[],
  field: 'issn' | 'isbn' | 'series_issn',
): Partial<SourceWork> {
  const right: unknown[] = []
  const wrong: RelatedIdentifier[] = []
  // Where a program has no number, it has one of zeros.
  for (const { value, kind } of numbers.filter((each) => /[1-9]/.test(each.value))) {
    const number = scheme === 'ISSN' ? issnIn(value) : (foldIsbn(value) ?? recognizeIsbn(value))
    if (number !== undefined) right.push(definedOf({ value: number, kind }))
    else wrong.push({ relation: 'IsPublishedIn', scheme, identifier: value })
  }
  return {
    ...(right.length > 0 && { [field]: right }),
    ...(wrong.length > 0 && { related_identifiers: wrong }),
  }
}

const numberForms = {
  ISSN: /\b\d{4}[-\u2010-\u2015]?\d{3}[\dXx]\b(?![-\d])/g,
  ISBN: /\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]\b/g,
}
const mediumForm = /^\s*\((print|electronic|online|linking)\b/i

/** The numbers in a text, as they are printed, such as `0028-0836 (Print) 1476-4687 (Online)`. */
export function numbersIn(scheme: 'ISSN' | 'ISBN', text: string): readonly HoldingNumber[] {
  return [...text.matchAll(numberForms[scheme])].map(({ 0: value, index }) => {
    const medium = mediumForm.exec(text.slice(index + value.length))?.[1]?.toLowerCase()
    return { value, kind: medium === 'online' ? 'electronic' : medium }
  })
}

function issnIn(text: string): string | undefined {
  return isIssn(text) ? text : recognizeIssn(text)
}

/** Where the code of a program is kept, which DataCite has no relation of its own for. */
export function codeRepository(url: string): RelatedIdentifier {
  return { relation: 'IsDerivedFrom', scheme: 'URL', identifier: url, note: codeRepositoryNote }
}
