import type { AtomEntry } from '#src/discovery/feeds/atom.ts'

/** Something that happened to a work: the members that its history has for it. */
export type FeedChange = {
  readonly seq: number
  readonly at: string
  readonly type:
    | 'work.registered'
    | 'work.versioned'
    | 'work.withdrawn'
    | 'work.erased'
    | 'work.metadata_lost'
    | 'work.fixity_changed'
  readonly version: number
  readonly by: { readonly name: string }
  readonly changed_fields: readonly string[]
  readonly fixity_status?: string
  readonly message?: string | null
  readonly reason?: string | null
}

/** The addresses of a work: of its ARK, and of a version's receipt. */
export type ChangedWork = { readonly url: string; readonly receiptUrl: (version: number) => string }

/** A change as an entry of the feed of its work; a new version's is under the version's ARK. */
export function changeEntry(change: FeedChange, { url, receiptUrl }: ChangedWork): AtomEntry {
  const { seq, at, type, version, by } = change
  const isVersion = type === 'work.registered' || type === 'work.versioned'
  const page = isVersion ? `${url}/v${version}` : url
  return {
    id: isVersion ? page : `${url}#change-${seq}`,
    title: titleOf(change),
    updated: at,
    authors: [by.name],
    categories: [type],
    links: [
      { rel: 'alternate', href: page, type: 'text/html' },
      { rel: 'related', href: receiptUrl(version), type: 'application/json' },
    ],
    content: describe(change),
  }
}

function titleOf({ type, version, fixity_status = '' }: FeedChange): string {
  switch (type) {
    case 'work.registered':
      return 'Registered'
    case 'work.versioned':
      return `Version ${version}`
    case 'work.withdrawn':
      return 'Withdrawn'
    case 'work.erased':
      return 'Metadata erased'
    case 'work.metadata_lost':
      return 'Metadata lost'
    case 'work.fixity_changed':
      return `Content ${fixity_status}`
  }
}

function describe(change: FeedChange): string {
  const { type, version, at, changed_fields: fields, message } = change
  const day = at.slice(0, 10)
  switch (type) {
    case 'work.registered':
      return `Registered on ${day}.`
    case 'work.versioned':
      return `Version ${version} was made on ${day}; it changes ${fields.join(', ')}.`
    case 'work.withdrawn':
      return `Withdrawn on ${day}; the ARK leads to a record that says so.`
    case 'work.erased':
      return `The metadata was erased on ${day}; hashes and receipts stay.`
    case 'work.metadata_lost':
      return `The metadata was found to be lost on ${day}; hashes and receipts stay.`
    case 'work.fixity_changed':
      return [`A check of version ${version} on ${day} changed its fixity status.`, message ?? '']
        .join(' ')
        .trim()
  }
}
