import type { Agent } from '#actors/agent.ts'
import type { FieldFault } from '#actors/field_fault.ts'

/** An organization as the registry knows it: the owner of keys and works. */
export type Organization = {
  readonly slug: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly ror?: string
  readonly country?: string
  readonly url?: string
  readonly created_at: string
  readonly updated_at: string
}

export type OrganizationAnswer =
  | { readonly type: 'created'; readonly organization: Organization }
  | { readonly type: 'taken'; readonly organization: Organization }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/** The commands and queries on organizations. */
export type Organizations = {
  /** Creates one from an unchecked body `{slug, name, aliases?, ror?, country?, url?}`. */
  create(command: { readonly body: unknown; readonly by: Agent }): Promise<OrganizationAnswer>
  read(slug: string): Organization | undefined
  list(page: { after: string; limit: number }): Promise<readonly Organization[]>
}
