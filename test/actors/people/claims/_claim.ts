import type { Agent } from '#actors/values/agent.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { ada, onPages } from '#test/actors/_person.ts'
import type { ClaimStep } from '#actors/people/events.ts'

/** An ORCID iD, and another one. */
export const orcid = '0000-0002-1825-0097'
export const otherOrcid = '0000-0001-5109-3700'

/** The authors of a work of which the second has an ORCID iD. */
export const twoAuthors = {
  authors: 'Lovelace, Ada; Babbage, Charles',
  author_details: [{ family: 'Lovelace' }, { family: 'Babbage', orcid }],
}

/** Claims a work; by the person, and as its second author, if nothing else is said. */
export function claim(
  { claims }: Environment,
  ark: string,
  {
    ppid = ada,
    by = onPages(ppid),
    author_position = 2,
    ...body
  }: {
    readonly ppid?: string
    readonly by?: Agent
    readonly author_position?: unknown
    readonly message?: string
  } = {},
) {
  return claims.make({ ppid, body: { ark_identifier: ark, author_position, ...body }, by })
}

/** Says something of a claim; by the person if nothing else is said. */
export function say(
  { claims }: Environment,
  ark: string,
  step: ClaimStep,
  {
    ppid = ada,
    by = onPages(ppid),
    ...more
  }: {
    readonly ppid?: string
    readonly by?: Agent
    readonly body?: unknown
  } = {},
) {
  // The people of the tests are called otherwise than the authors of their works.
  const words = { contest: { reason: 'It is not so' }, confirm: { confirm_mismatch: 'It is so' } }
  const body = step in words && { body: words[step as keyof typeof words] }
  return claims.change({ ppid, ark, step, by, ...body, ...more })
}

/** The claim that an answer tells of, which must do so. */
export function claimOf(answer: { readonly type: string }) {
  if ('claim' in answer)
    return answer.claim as NonNullable<ReturnType<Environment['claims']['read']>>
  throw new Error(`the answer was ${answer.type}`)
}

/** Lets a person have signed in with an ORCID iD. */
export async function linkOrcid(
  { people }: Environment,
  { ppid = ada, authenticated = true, iD = orcid } = {},
): Promise<void> {
  const asked = { ppid, orcid: iD, authenticated, by: onPages(ppid) }
  const answer = await people.linkOrcid(asked)
  if (answer.type !== 'updated') throw new Error(`linking was ${answer.type}`)
}

/** The authors of a resolution. */
export async function authorsOf(
  { catalogue }: Environment,
  ark: string,
): Promise<readonly { readonly name: string; readonly claims: readonly unknown[] }[]> {
  const answer = await catalogue.resolve(ark, ark)
  if (answer.type !== 'found') throw new Error('the work was not found')
  const { authors } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as {
    authors: { name: string; claims: unknown[] }[]
  }
  return authors
}
