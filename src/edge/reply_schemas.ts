import { type TSchema, Type } from 'typebox'

/** Members that many replies have. */
export const time = Type.String({ format: 'date-time' })
export const sha256Hash = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
export const receiptId = Type.String({ pattern: '^rcpt_[0-9]{4}_[0-9]{2}_[0-9]{2}_' })
export const arkIdentifier = Type.String({
  pattern: '^ark:/',
  examples: ['ark:/12345/k2bcd45g7h3'],
})
export const version = Type.Integer({ minimum: 1 })

/** A member that may be null; `description` says what it is, and when it is null. */
export function nullable<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

export const contentHash = nullable(
  sha256Hash,
  'SHA-256 of the content: as declared or as first hashed; null if it is neither yet.',
)

export const fixityStatus = Type.String({
  enum: ['pending', 'verified', 'failed', 'unreachable'],
  description:
    'Whether the address of the content serves what it should: `pending` until the first check, ' +
    '`verified` if it does, `failed` if it serves something else, `unreachable` if nothing, or ' +
    'nothing that stays the same, could be read.',
})

/** Why the fixity status is what it is. */
export const fixityReason = {
  reason: nullable(
    Type.String({ examples: ['hash_mismatch', 'no_stable_content', 'http_status', 'timed_out'] }),
    'Why the content is not verified, as a word for programs; null if it is, or is pending.',
  ),
  message: nullable(Type.String(), 'The same for people.'),
}

/** Who made a change, as replies say it. */
export const sourceSchema = Type.Object({
  type: Type.String({ enum: ['organization', 'person', 'operator'] }),
  id: Type.String(),
  name: Type.String(),
  via: Type.String({ enum: ['oauth', 'api_key', 'ui', 'cli', 'service'] }),
  client_id: Type.Optional(Type.String()),
})

/** The addresses of a work's records. */
export const linksSchema = Type.Object({
  self: Type.String(),
  resolve: Type.String(),
  versions: Type.String(),
  history: Type.String(),
  receipt: Type.String(),
  proofs: Type.String(),
  ark: Type.String(),
})

/** One wrong or doubtful field. */
const fieldFaultSchema = Type.Object({
  field: Type.String(),
  code: Type.String(),
  message: Type.String(),
})

/** A reply of other media types than JSON: the text of it, or its bytes. */
export function contentReply(description: string, ...mediaTypes: readonly string[]): object {
  const contents = mediaTypes.map((type) => [type, { schema: Type.String() }] as const)
  return { description, content: Object.fromEntries(contents) }
}

/** The body of every error. */
export const errorSchema = Type.Object(
  {
    error: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Array(fieldFaultSchema)),
    request_id: Type.String(),
  },
  { additionalProperties: true },
)

const identity = {
  svc_id: Type.String(),
  ark_identifier: arkIdentifier,
  work_title: Type.String(),
  work_type: Type.String(),
  created_at: time,
}

/** The body of 201: what was registered. */
export const createdWorkSchema = Type.Object({
  ...identity,
  version,
  receipt_id: receiptId,
  fixity_status: fixityStatus,
  metadata_hash: sha256Hash,
  source: sourceSchema,
  warnings: Type.Array(fieldFaultSchema),
  links: linksSchema,
})

/** The body of 200 for a dry run: the work would be registered. */
export const validWorkSchema = Type.Object({
  valid: Type.Literal(true),
  warnings: Type.Array(fieldFaultSchema),
})

/** The body of a bulk registration's reply. */
export const bulkReplySchema = Type.Object({
  results: Type.Array(
    Type.Object(
      { index: Type.Integer(), status: Type.Integer(), error: Type.Optional(Type.String()) },
      { additionalProperties: true, description: 'The body that the work would have had alone.' },
    ),
  ),
})

/** A work as it is read; all fields of its metadata stand beside these. */
export const workSchema = Type.Object(
  {
    ...identity,
    version,
    updated_at: time,
    status: Type.String({ enum: ['registered', 'withdrawn'] }),
    fixity_status: fixityStatus,
    receipt_id: receiptId,
    metadata_hash: sha256Hash,
    source: sourceSchema,
    links: linksSchema,
  },
  { additionalProperties: true },
)

/** One version in a list of a work's versions. */
export const versionSchema = Type.Object({
  ark_identifier: arkIdentifier,
  version,
  kind: Type.String({ enum: ['registered', 'updated', 'versioned'] }),
  created_at: time,
  receipt_id: receiptId,
  metadata_hash: sha256Hash,
  content_hash: contentHash,
  fixity_status: fixityStatus,
  changed_fields: Type.Array(Type.String()),
  version_note: Type.Optional(Type.String()),
  source: sourceSchema,
  links: linksSchema,
})

/** A page of a work's versions, newest last. */
export const versionsSchema = Type.Object({
  ark: arkIdentifier,
  total: Type.Integer({ minimum: 1 }),
  versions: Type.Array(versionSchema),
  next: nullable(version, 'What `after` takes for the page that follows; null if none does.'),
})

/** What a change of a work answers. */
export const workChangeSchema = Type.Object({
  ark_identifier: arkIdentifier,
  version,
  kind: Type.String({ enum: ['registered', 'updated', 'versioned', 'withdrawn', 'erased'] }),
  receipt_id: receiptId,
  created_at: time,
  metadata_hash: sha256Hash,
  content_hash: contentHash,
  fixity_status: fixityStatus,
  changed_fields: Type.Array(Type.String()),
  unchanged: Type.Optional(Type.Literal(true)),
  warnings: Type.Optional(Type.Array(fieldFaultSchema)),
  source: sourceSchema,
  links: linksSchema,
})

/** A page of the change feed. */
export const changesSchema = Type.Object({
  changes: Type.Array(
    Type.Object(
      {
        seq: Type.Integer({ minimum: 1 }),
        type: Type.String({ examples: ['work.registered', 'work.fixity_changed'] }),
        at: time,
        source: sourceSchema,
        sets: Type.Array(Type.String()),
        ark: Type.Optional(arkIdentifier),
        version: Type.Optional(version),
        status: Type.Optional(Type.String({ enum: ['registered', 'withdrawn'] })),
        fixity_status: Type.Optional(fixityStatus),
        reason: Type.Optional(fixityReason.reason),
        message: Type.Optional(fixityReason.message),
        created_at: Type.Optional(time),
        receipt_id: Type.Optional(receiptId),
        metadata_hash: Type.Optional(sha256Hash),
        content_hash: Type.Optional(contentHash),
        content_type: Type.Optional(nullable(Type.String(), 'Media type of what was fetched.')),
        content_size: Type.Optional(Type.Integer({ description: 'Bytes of what was fetched.' })),
        metadata: Type.Optional(nullable(Type.Unknown(), 'Of the version; null once withdrawn.')),
      },
      {
        additionalProperties: true,
        description:
          'Changes of works have `ark`, `version`, `status` and `metadata`, the time of the ' +
          'registration, and receipt and hashes of the version; for `work.fixity_changed` there ' +
          'is a fixity status and its reason too.',
      },
    ),
  ),
  next: Type.Integer({ description: 'What `after` takes for the page that follows.' }),
  end: Type.Integer({
    description:
      'What `next` is once all is read; below `after` if the registry went back to an older copy.',
  }),
})

/**
 * For routes whose bodies the rules check, all faults at once: their schema is a description, and
 * is not run.
 */
export const checkedByRules = { validatorCompiler: () => () => true } as const
