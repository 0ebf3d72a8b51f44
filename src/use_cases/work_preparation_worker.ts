// Reads bodies of many works in a thread of its own. What takes no look at the registry is done
// here, so that the thread that commits has the rest only.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { type BodyAnswer, draftWorks } from '#src/use_cases/work_preparation.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { HttpError } from '#src/edge/errors.ts'

answerOrders<Uint8Array, BodyAnswer>(answer)

function answer({ buffer, byteOffset, length }: Uint8Array): BodyAnswer {
  try {
    return read(parseStrictJson(Buffer.from(buffer, byteOffset, length)))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { type: 'refused', code: error.code, message: error.message }
  }
}

function read(value: unknown): BodyAnswer {
  const { works, arks = [] } = (value ?? {}) as { readonly works?: unknown; arks?: unknown }
  if (!Array.isArray(works)) return { type: 'read', body: value }
  const drafts = draftWorks(works, Array.isArray(arks) ? arks : [])
  return { type: 'read', body: { ...(value as object), works: [] }, works: drafts }
}
