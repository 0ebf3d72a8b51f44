// Reads bodies of many works in a thread of its own. What takes no look at the registry is done
// here, so that the thread that commits has the rest only.

import { answerOrders } from '#actors/kernel/asked_worker.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type BodyAnswer,
  type BodyTask,
  draftLines,
  draftWorks,
} from '#src/use_cases/work_drafting.ts'

answerOrders<BodyTask, BodyAnswer>(answer)

async function answer({ bytes, layout }: BodyTask): Promise<BodyAnswer> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    return layout === 'value' ? read(parseStrictJson(body)) : await draftLines(body, layout)
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
