// An identity provider of an institution, in a process of its own: it prints advice to its owner.
// Argument: where this registry wants people sent back to. Answers each message with one.

import { openUpstream, upstreamClient } from '#test/src/_upstream.ts'

/** Says who is signed in next, and what is told of them; nobody is an order to be left as it is. */
export type InstitutionOrder = { readonly sub: string; readonly claims: object } | 'nobody'

/** Where it is, and what this registry is there. */
export type InstitutionFacts = { readonly issuer: string } & typeof upstreamClient

const upstream = await openUpstream(process.argv[2] ?? '')

process.on('message', (order: InstitutionOrder) => {
  if (order !== 'nobody') upstream.as(order.sub, { ...order.claims })
  const facts: InstitutionFacts = { issuer: upstream.issuer, ...upstreamClient }
  process.send?.(facts)
})
process.once('disconnect', () => process.exit())
