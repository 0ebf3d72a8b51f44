import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

import type { Metadata } from '#actors/works/metadata.ts'

const common = {
  seq: Type.Integer({ minimum: 1 }),
  at: Type.String(),
  source: Type.Record(Type.String(), Type.Unknown()),
}

const workChange = Type.Object({
  ...common,
  ark: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  status: Type.Union([Type.Literal('registered'), Type.Literal('withdrawn')]),
  sets: Type.Array(Type.String()),
  created_at: Type.String(),
  receipt_id: Type.String(),
  metadata_hash: Type.String(),
  content_hash: Type.Union([Type.String(), Type.Null()]),
  content_type: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  content_size: Type.Optional(Type.Integer({ minimum: 0 })),
  type: Type.String(),
  // The registry has checked it by its own rules.
  metadata: Type.Unsafe<Metadata | null>(Type.Union([Type.Object({}), Type.Null()])),
})

const organizationChange = Type.Object({
  ...common,
  type: Type.Union([Type.Literal('organization.created'), Type.Literal('organization.updated')]),
  organization: Type.Object({ slug: Type.String(), name: Type.String() }),
})

const otherChange = Type.Object({
  ...common,
  type: Type.String(),
  ark: Type.Optional(Type.Never()),
})

const pageSchema = Type.Object({
  changes: Type.Array(Type.Union([workChange, organizationChange, otherChange])),
  next: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
  /** Up to `end` there is every change before this time; older registries do not tell. */
  settled_at: Type.Optional(Type.String()),
})

/** A change of a work, as far as harvesters see any of it. */
export type WorkChange = Static<typeof workChange>

/** A page of the registry's change feed. */
export type FeedPage = Static<typeof pageSchema>

const compiled = Compile(pageSchema)

/** The page of a reply of `GET /v1/changes`; undefined if it is not one. */
export function parseFeedPage(body: string): FeedPage | undefined {
  try {
    const page: unknown = JSON.parse(body)
    return compiled.Check(page) ? page : undefined
  } catch {
    return undefined
  }
}
