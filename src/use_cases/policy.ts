import { operator } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import { english } from '#src/words/language.ts'

/** Where the promise is written that descriptions refer to (`erc-support`). */
export const policyPath = '/policy'

// A term of permanence, as descriptions of other registries have it (ERC).
const term = 'Permanent: Dynamic Content'

/** What the registry promises about its identifiers and what they name. */
export const policy = {
  title: operator.promises,
  sections: [
    { heading: operator.validity, text: operator.validityText },
    { heading: operator.kept, text: operator.keptText },
    { heading: operator.availability, text: operator.availabilityText },
    { heading: operator.invariance, text: operator.invarianceText({ term: inEnglish(term) }) },
    { heading: operator.changeHistory, text: operator.changeHistoryText },
    { heading: operator.exceptions, text: operator.exceptionsText({ naan: '99999' }) },
  ],
} as const

/** The promise as text, in English. */
export function formatPolicy(): string {
  const sections = policy.sections.map(
    ({ heading, text }) => `${heading.text(english)}\n${text.text(english)}\n`,
  )
  return [`${policy.title.text(english)}\n`, ...sections].join('\n')
}
