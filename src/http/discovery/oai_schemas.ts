import { Type } from 'typebox'

import type { Parameters } from '#src/edge/query_string.ts'
import { checkedByRules, component } from '#src/edge/reply_schemas.ts'

const verbs = [
  'Identify',
  'ListMetadataFormats',
  'ListSets',
  'ListIdentifiers',
  'ListRecords',
  'GetRecord',
]

const descriptions = {
  identifier: 'Of `GetRecord` and `ListMetadataFormats`: the record, `oai:…` or an ARK.',
  metadataPrefix: 'Of `GetRecord`, and of lists but for their further pages: the format.',
  from: 'Of lists: records changed on this day or at this second of UTC, or later.',
  until: 'Of lists: records changed on this day or at this second, or earlier; as fine as `from`.',
  set: 'Of lists: only the records of a set.',
  resumptionToken: 'Of lists: the next page. It stands alone beside the verb.',
}

const verb = Type.String({ title: 'OaiVerb', description: 'What is asked for.', enum: verbs })

/** The arguments of a request as OAI-PMH 2.0, section 4, has them, for its description. */
export const oaiParameters: Parameters = {
  verb: { read: (text) => text, accepts: 'a verb', schema: verb, required: true },
  ...Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { read: (text: string) => text, accepts: 'a text', schema: Type.String({ description }) },
    ]),
  ),
}

const members = Object.entries(descriptions).map(
  ([name, description]) => [name, Type.Optional(Type.String({ description }))] as const,
)

/** The same arguments as a form. Its repository reads them, and refuses in the protocol's words. */
export const oaiForm = {
  ...checkedByRules,
  schema: {
    consumes: ['application/x-www-form-urlencoded'],
    body: component('OaiRequest', { verb, ...Object.fromEntries(members) }),
  },
}
