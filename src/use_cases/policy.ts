/** Where the promise is written that descriptions refer to (`erc-support`). */
export const policyPath = '/policy'

/** What the registry promises about its identifiers and what they name. */
export const policy = {
  title: 'What this registry promises',
  sections: [
    {
      heading: 'Identifier validity',
      text:
        'An ARK is given to one work and never to another. It is never taken back: when a work ' +
        'is withdrawn, its ARK leads to its description as before, which says so, when it was, ' +
        'why, and what takes its place. Every spelling of an ARK leads to the same work.',
    },
    {
      heading: 'Description',
      text:
        'The description of each version of a work is kept as it was registered, and can be read ' +
        'without an account, also once the work is withdrawn. A change makes a new version; ' +
        'versions are only added. What an ARK leads to is the newest one, and each older one has ' +
        'an address of its own.',
    },
    {
      heading: 'Object availability',
      text:
        'The content of a work is kept by its publisher, not by this registry. The registrant ' +
        'keeps its address up to date; nothing here leads to the content of a withdrawn work. ' +
        'Unless its operator has turned that off, this registry ' +
        'reads the content there again and again, and says what it found last.',
    },
    {
      heading: 'Content invariance',
      text:
        'Permanent: Dynamic Content. The content at an address may be replaced by its publisher, ' +
        'but not unseen: its SHA-256 hash is registered when it is first read, or by who ' +
        'registers the work, and content that has another one is shown as failed.',
    },
    {
      heading: 'Change history',
      text:
        'Every change of a work is in its public history, with the time and who made it. Every ' +
        'version has a signed receipt in an append-only log, which anybody can check without ' +
        'trusting this registry.',
    },
    {
      heading: 'Exceptions',
      text:
        'If the law demands it, the description of a withdrawn work is erased. Its ARK, its ' +
        'history, its hashes and its receipts stay. Nothing in the sandbox (NAAN 99999) is meant ' +
        'to last.',
    },
  ],
} as const

/** The promise as text. */
export function formatPolicy(): string {
  const sections = policy.sections.map(({ heading, text }) => `${heading}\n${text}\n`)
  return [`${policy.title}\n`, ...sections].join('\n')
}
