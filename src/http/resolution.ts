import type { Description } from '#src/http/erc.ts'

type Author = { readonly name: string; readonly given?: string; readonly family?: string }

/** What the representations at an ARK need of a resolution, or of the tombstone in its place. */
export type Resolution = {
  /** `ark:/naan/name`. */
  readonly ark: string
  readonly status: 'registered' | 'withdrawn'
  readonly title: string
  readonly workType: string
  readonly authors: readonly Author[]
  readonly publishedDate: string | undefined
  readonly description: string | undefined
  /** Where the object is; null once it was withdrawn. */
  readonly contentUrl: string | null
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly withdrawal: { readonly reason: string; readonly at: string } | undefined
  /** Whether the metadata was erased: then title, type and authors are not known. */
  readonly isErased: boolean
  readonly links: Readonly<Record<string, string>>
}

/** The members of the catalogue's JSON that are read here. */
type Body = {
  readonly ark: string
  readonly status: 'registered' | 'withdrawn'
  /** Absent once they were erased. */
  readonly authors?: readonly Author[]
  readonly version: number
  readonly created_at: string
  readonly links: Readonly<Record<string, string>>
  /** Of a work. */
  readonly updated_at?: string
  readonly content?: { readonly url: string | null }
  readonly metadata?: Metadata
  /** Of a tombstone. */
  readonly reason?: string
  readonly withdrawn_at?: string
  readonly metadata_erased?: true
} & Partial<Metadata>

type Metadata = {
  readonly work_title: string
  readonly work_type: string
  readonly published_date?: string
  readonly description?: string
}

/** Reads a resolution that the catalogue rendered: its facts stay in one place only. */
export function readResolution(bytes: Uint8Array): Resolution {
  const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as Body
  const metadata: Partial<Metadata> = body.metadata ?? body
  const { reason, withdrawn_at: withdrawnAt } = body
  return {
    ark: body.ark,
    status: body.status,
    title: metadata.work_title ?? '',
    workType: metadata.work_type ?? '',
    authors: body.authors ?? [],
    publishedDate: metadata.published_date,
    description: metadata.description,
    contentUrl: body.content?.url ?? null,
    version: body.version,
    createdAt: body.created_at,
    updatedAt: body.updated_at ?? withdrawnAt ?? body.created_at,
    withdrawal:
      reason === undefined || withdrawnAt === undefined ? undefined : { reason, at: withdrawnAt },
    isErased: body.metadata_erased === true,
    links: body.links,
  }
}

/** What an ERC says in place of what was suppressed on purpose. */
const suppressed = [{ name: '(:unal)' }] as const

/** The description of a work; `url` is the address of its ARK here. */
export function describe(resolution: Resolution, url: string): Description {
  const { authors, title, publishedDate, updatedAt, withdrawal, isErased } = resolution
  const names = isErased ? { authors: suppressed, title: suppressed[0].name } : { authors, title }
  return { ...names, publishedDate, url, updatedAt, ...(withdrawal && { withdrawal }) }
}
