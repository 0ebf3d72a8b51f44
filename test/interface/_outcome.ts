import type { Row, Section } from '#test/interface/_row.ts'
import { NotTried, type World } from '#test/interface/_world.ts'

/** The document that explains where the registry differs from the text, and fills its gaps. */
export const documentPath = 'docs/interface.md'

/** What came of a row. */
export type Result = 'written' | 'differs' | 'filled' | 'failed' | 'not_tried'

/** A row that was tried. `reason` says why it failed, or was not tried. */
export type Outcome = {
  readonly id: string
  readonly section: string
  readonly claim: string
  readonly result: Result
  /** Where it is explained, for a row that is not as the text has it. */
  readonly see?: string
  readonly reason?: string
}

/** The anchors of the headings of a document, as its readers link to them. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const headings = document.matchAll(/^#{1,6} (.+)$/gm)
  return new Set(
    Array.from(headings, ([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

/** Tries the rows of a section one after the other; `number` is the first part of their ids. */
export async function trySection(
  world: World,
  { name, rows }: Section,
  number: number,
  anchors: ReadonlySet<string>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [index, row] of rows.entries()) {
    const about = { id: `${number}.${index + 1}`, section: name, claim: row.claim }
    outcomes.push({ ...about, ...(await tryRow(world, row, anchors)) })
  }
  return outcomes
}

async function tryRow(
  world: World,
  { standing, attempt }: Row,
  anchors: ReadonlySet<string>,
): Promise<Pick<Outcome, 'result' | 'see' | 'reason'>> {
  try {
    await attempt(world)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { result: error instanceof NotTried ? 'not_tried' : 'failed', reason }
  }
  if (standing.type === 'written') return { result: 'written' }
  const see = `${documentPath}#${standing.anchor}`
  if (anchors.has(standing.anchor)) return { result: standing.type, see }
  return { result: 'failed', reason: `it is not as the text has it, and ${see} is not there` }
}
