import { html, type Html } from '#src/pages/kit/html.ts'
import { type Fact, facts } from '#src/pages/kit/parts.ts'
import type { LoggedStatement } from '#src/use_cases/public_log.ts'
import { receiptKeyId, type Statement } from '#actors/receipts/statement.ts'

/** What a statement says, in a few words: `Registered`. */
export function statementName({ statement }: Statement): string {
  return {
    registered: 'Registered',
    content: 'Content confirmed',
    tombstoned: 'Withdrawn',
    key_rotated: 'Key replaced',
  }[statement]
}

/** What it is about: a version of a work, or a key. */
export function statementSubject(statement: Statement): Html {
  if (statement.statement === 'key_rotated') {
    return html`receipt key <code>${statement.new_key_id}</code>`
  }
  const { ark, version } = statement
  return html`<a href="/${ark}/v${version}">${ark}</a> v${version}`
}

/** A statement in a sentence. */
export function statementSentence(statement: Statement): Html {
  switch (statement.statement) {
    case 'registered':
      return html`Version ${statement.version} of
<a href="/${statement.ark}">${statement.ark}</a> was registered with exactly this metadata.`
    case 'content':
      return html`The content of version ${statement.version} of
<a href="/${statement.ark}">${statement.ark}</a> was fetched, and it had exactly this hash.`
    case 'tombstoned':
      return html`The work <a href="/${statement.ark}">${statement.ark}</a> was withdrawn; by its
hashes, what it had been.`
    case 'key_rotated':
      return html`From here on, receipts are signed with another key. The old key signs this.`
  }
}

/** The members of a statement; what a browser holds against the entry has its member's name. */
export function statementFacts({ statement, signature }: LoggedStatement): Html {
  const key = html`${said('public_key', signature.public_key)} <span class="hint">key
${receiptKeyId(signature.public_key)}</span>`
  return facts([
    ['Statement', said('statement', statement.statement)],
    ...ownFacts(statement),
    ['Signed at', said('timestamp', statement.timestamp)],
    ['Signed by', key],
  ])
}

function ownFacts(statement: Statement): Fact[] {
  if (statement.statement === 'key_rotated') {
    const { old_key_id, new_key_id, new_public_key } = statement
    return [
      ['Old key', said('old_key_id', old_key_id)],
      ['New key', said('new_key_id', new_key_id)],
      ['It is', new_public_key === undefined ? undefined : said('new_public_key', new_public_key)],
    ]
  }
  return [
    ['Work', html`<a href="/${statement.ark}" data-member="ark">${statement.ark}</a>`],
    ['Version', html`<span data-member="version">${statement.version}</span>`],
    ['Reason', statement.statement === 'tombstoned' ? said('reason', statement.reason) : undefined],
    ['Receipt', said('receipt_id', statement.receipt_id)],
    ['Metadata hash', said('metadata_hash', statement.metadata_hash)],
    ['Content hash', said('content_hash', statement.content_hash ?? 'none')],
  ]
}

function said(member: string, text: string): Html {
  return html`<code class="hash" data-member="${member}">${text}</code>`
}
