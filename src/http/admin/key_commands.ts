import { Type } from 'typebox'

import type { Owner } from '#actors/values/agent.ts'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import {
  type AdminRegistry,
  command,
  environment,
  invalid,
  limit,
  owner,
  position,
  strings,
  wrongMember,
} from '#src/http/admin/command.ts'
import { HttpError } from '#src/edge/errors.ts'
import { checkNewKey } from '#src/identity/keys/key_record.ts'
import type { CreatedKey, KeyStore } from '#src/identity/keys/key_store.ts'
import { formatOwner, operator, type OwnerId, parseOwner } from '#src/identity/store/owner_text.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'

const keyId = Type.String({ pattern: '^[0-9A-Za-z]{10}$' })
const auditPageDefault = 100

/** The commands on API keys: those of the live realm, then those of test people. */
export const keyCommands = {
  '/keys/create': command(
    {
      owner,
      environment,
      scopes: strings(20),
      label: Type.Optional(Type.String()),
      ip_allow: Type.Optional(strings(50)),
      hours: Type.Optional(Type.Integer()),
    },
    async (registry, { environment: name = 'live', ...wish }) => {
      const by = namedOwner(registry, wish.owner, name)
      const checked = checkNewKey({ ...wish, environment: name, owner: by })
      if (checked.type === 'invalid') throw invalid('The key cannot be made', checked.faults)
      // The keys of test people lie with them.
      const { keys } = realmOf(registry, by.type === 'person' ? name : 'live')
      return keyReply(await keys.create(checked.key, operator))
    },
  ),
  '/keys/list': command({ owner: Type.Optional(owner) }, (registry, { owner: text }) =>
    listKeys(registry, text),
  ),
  '/keys/audit': command({ owner, after: position, limit }, async (registry, body) => {
    const { after = 0, limit: count = auditPageDefault } = body
    const wanted = readOwner(body.owner)
    const isTest = wanted.type === 'person' && isTestPerson(registry, wanted.id)
    const { keys } = realmOf(registry, isTest ? 'sandbox' : 'live')
    return { entries: await keys.audit(wanted, { after, limit: count }) }
  }),
  '/keys/revoke': command({ id: keyId }, async (registry, { id }) => {
    for (const keys of allKeys(registry)) {
      const answer = await keys.revoke(id, operator)
      if (answer.type === 'revoked') return { key: keys.show(answer.record) }
    }
    throw noKey(id)
  }),
  /** The new key; `replaces` works until `rotate_until`. */
  '/keys/rotate': command({ id: keyId }, async (registry, { id }) => {
    for (const keys of allKeys(registry)) {
      const answer = await keys.rotate(id, operator)
      if (answer.type === 'not_active') {
        throw new HttpError('conflict', `The key ${id} is not active; create a new one`)
      }
      if (answer.type === 'rotated') {
        return { ...keyReply(answer), replaces: id, rotate_until: answer.rotateUntil }
      }
    }
    throw noKey(id)
  }),
  '/keys/confirm': command({}, ({ adminCodes }) => adminCodes.issue()),
}

/**
 * The owner that a text names, as `namedOwner` of a command that writes in an environment: an
 * organization, or a test person, must exist there. HttpError `validation_failed`.
 */
export function namedOwner(registry: AdminRegistry, text: string, name: EnvironmentName): Owner {
  const { type, id } = readOwner(text)
  switch (type) {
    case 'operator':
      return operator
    case 'person':
      // A live key would find no such person, nor would a test key find a live one.
      if (name === 'sandbox' && !isTestPerson(registry, id)) {
        throw wrongMember('owner', `There is no test person ${id}`)
      }
      return { type, id, name: id }
    case 'organization': {
      const known = registry.environments[name].organizations.read(id)
      if (known !== undefined) return { type, id, name: known.name }
      throw wrongMember('owner', `There is no organization ${id}`)
    }
  }
}

async function listKeys(registry: AdminRegistry, text: string | undefined) {
  const wanted = text === undefined ? undefined : readOwner(text)
  const lists = allKeys(registry).map(async (keys) => {
    return wanted === undefined ? keys.listAll() : keys.list(wanted)
  })
  return { keys: (await Promise.all(lists)).flat() }
}

function readOwner(text: string): OwnerId {
  const read = parseOwner(text)
  if (read !== undefined) return read
  throw wrongMember('owner', 'An owner is org:<slug>, person:<ppid> or operator')
}

function isTestPerson({ environments }: AdminRegistry, ppid: string): boolean {
  return environments.sandbox.people.read(ppid) !== undefined
}

function allKeys({ keys, sandbox }: AdminRegistry): readonly KeyStore[] {
  return [keys, sandbox.keys]
}

/** A new key, whose text is shown this once. */
function keyReply({ key, record }: CreatedKey) {
  const { id, scopes, expires_at } = record
  return {
    id,
    key,
    owner: formatOwner(record.owner),
    scopes,
    environment: record.environment,
    expires_at,
  }
}

function noKey(id: string): HttpError {
  return new HttpError('not_found', `There is no key ${id}`)
}
