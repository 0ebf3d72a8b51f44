import { type Static, type TObject, type TSchema, Type } from 'typebox'

import { arkCharactersMax } from '#actors/values/ark.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { ClockGuard } from '#actors/journal/clock_guard.ts'
import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import type { ClusterNode } from '#src/cluster/node.ts'
import type { NodeAdmin } from '#src/cluster/invitations.ts'
import type { SearchService } from '#src/discovery/search/search_service.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AdminCodes } from '#src/identity/keys/admin_code.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'

/** Makes the next receipt key durable, and settles on the one in use once that is announced. */
type KeyRotation = {
  rotate<T>(announce: (next: Ed25519Key) => Promise<T>, inUse: () => string): Promise<T | undefined>
}

/** What is administered. */
export type AdminRegistry = Realms & {
  /** The public address, without a slash at its end, of the links in replies. */
  readonly baseUrl: string
  readonly environments: Environments
  readonly clockGuard: ClockGuard
  readonly adminCodes: AdminCodes
  readonly receiptKeyFiles: Readonly<Record<EnvironmentName, KeyRotation>>
  /** The node of a cluster that runs this registry, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'status'>
  /** What an operator has that node do. */
  readonly nodeAdmin?: NodeAdmin
  /** Without it, nothing is searched. */
  readonly search?: Readonly<Record<EnvironmentName, SearchService>>
}

/** A command of the admin socket: the schema of its body, and the use case that answers it. */
export type Command<Body extends TSchema, Reply> = {
  readonly body: Body
  readonly run: (registry: AdminRegistry, body: Static<Body>) => Reply | Promise<Reply>
}

/** A row of the table of commands, with the members of its body. Every refusal is an HttpError. */
export function command<P extends Record<string, TSchema>, Reply>(
  members: P,
  run: Command<TObject<P>, Reply>['run'],
): Command<TObject<P>, Reply> {
  return { body: Type.Object(members, { additionalProperties: false }), run }
}

/** The environment that a command is about: the live one by default. */
export const environment = Type.Optional(
  Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
)

/** `org:<slug>`, `person:<ppid>` or `operator`. */
export const owner = Type.String({ minLength: 1, maxLength: 100 })

/** In any of the spellings that a path may have. */
export const ark = Type.String({ minLength: 1, maxLength: arkCharactersMax })

/** The short name of an organization. */
export const slug = Type.String({ minLength: 1, maxLength: 63 })

/** The id of an application. */
export const clientId = Type.String({ pattern: '^app_(?:test_)?[0-9A-Za-z]{16}$' })

/** How much one reply lists at most. */
export const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 }))

/** A place in a list, after which the reply begins. */
export const position = Type.Optional(Type.Integer({ minimum: 0 }))

/** A list of short texts. */
export function strings(maxItems: number) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems })
}

/** The refusal of a body that breaks rules. */
export function invalid(message: string, details: readonly FieldFault[]): HttpError {
  return new HttpError('validation_failed', message, { details })
}

/** The refusal of one member of a body. */
export function wrongMember(field: string, message: string): HttpError {
  return invalid(message, [{ field, code: 'bad_value', message }])
}

/** The refusal for a slug that is no organization's. */
export function noOrganization(name: string): HttpError {
  return new HttpError('not_found', `There is no organization ${name}`)
}
