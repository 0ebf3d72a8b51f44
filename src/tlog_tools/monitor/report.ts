import { type Static, Type } from 'typebox'

/**
 * What a monitor tells others, as they get it in JSON. `id` is the same for the same report, so
 * that one that comes twice is known; it is a file name, too.
 */
export const reportSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9_-]{1,200}$' }),
    type: Type.Union([Type.Literal('alarm'), Type.Literal('alarm_ended'), Type.Literal('watched')]),
    at: Type.String(),
    /** The origin of the log. */
    log: Type.String(),
    /** The kind of an alarm, or of the statement that was watched for. */
    kind: Type.String(),
    /** Where it was seen: `log`, `quorum`, a vantage point, `records`. */
    place: Type.Optional(Type.String()),
    message: Type.String(),
    /** What to do about it. */
    advice: Type.Optional(Type.String()),
    /** The folder of the state folder in which the evidence is. */
    evidence: Type.Optional(Type.String()),
    /** Of a statement that was watched for. */
    leaf_index: Type.Optional(Type.Integer()),
    leaf_hash: Type.Optional(Type.String()),
    ark: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    timestamp: Type.Optional(Type.String()),
    watches: Type.Optional(Type.Array(Type.String())),
    proof: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export type Report = Readonly<Static<typeof reportSchema>>
