import { parseArkReference } from '#actors/values/ark.ts'
import { foldDoi, foldOrcid, foldRor, isPpid } from '#actors/values/identifier.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import type { Filter, IndexKind } from '#src/discovery/search/search_engine.ts'

/**
 * What a typed text names, if all of it is an identifier: an ARK in any spelling, a DOI, an ORCID
 * iD, a ppid, a ROR id. Whether there is such a record is not said. `naan` is that of a bare name.
 */
export function identifierFilters(kind: IndexKind, typed: string, naan: string): Filter[] {
  const text = typed.trim().replace(/^(doi|orcid|ror):?\s+(?=\S+$)/i, '')
  // Identifiers have no spaces, and all of them have digits.
  if (/\s/.test(text) || !/\d/.test(text)) return []
  const named = [['orcid', foldOrcid(text)] as const, ...ownNames(kind, text, naan)]
  return named.flatMap(([field, value]) =>
    value === undefined || (field === 'orcid' && kind === 'organizations')
      ? []
      : [{ type: 'any_of', field, values: [value] }],
  )
}

type Named = readonly [field: string, value: string | undefined]

function ownNames(kind: IndexKind, text: string, naan: string): readonly Named[] {
  switch (kind) {
    case 'works':
      return [
        ['doi', foldDoi(text)],
        ['ppid', isPpid(text) ? text : undefined],
        ['id', workId(text, naan)],
      ]
    case 'people':
      return [['id', isPpid(text) ? text : undefined]]
    case 'organizations':
      return [['ror', foldRor(text)]]
  }
}

function workId(text: string, naan: string): string | undefined {
  const parsed = parseArkReference(text, naan)
  return 'ark' in parsed ? documentId({ type: 'work', id: parsed.ark }) : undefined
}
