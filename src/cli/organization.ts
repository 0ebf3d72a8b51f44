import { Argument, type Command } from 'commander'
import { calling } from '#src/cli/admin_client.ts'
import { defineSuspension } from '#src/cli/suspension.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import { addCommand, type JsonOption } from '#src/cli/program.ts'
import { type MemberRole, memberRoles } from '#actors/values/authority.ts'

type CreateOptions = JsonOption & {
  readonly name: string
  readonly ror?: string
  readonly country?: string
  readonly url?: string
}

type UpdateOptions = JsonOption & {
  readonly name?: string
  readonly alias?: readonly string[]
  readonly ror?: string
  readonly country?: string
  readonly url?: string
}

const updateNotes = `
Anything you do not give stays the same. An empty text, as in --url "", removes a value. The slug
never changes.`

const parentNotes = `
Owners of the organization above see works, figures, keys and members of those below it, and can
create and revoke their keys. Owners of both are told by mail.`

const memberNotes = `
An owner can do everything, including members and keys. An editor registers and changes works and
describes the organization. A viewer sees what only members see.`

/** Adds `organization create` and others: the owners that keys and works can have. */
export function defineOrganization(program: Command): void {
  const organization = program.command('organization').description('manage organizations')
  addCommand(organization, 'create', 'create an organization')
    .argument('<slug>', 'permanent short name of lower-case letters, digits and hyphens')
    .requiredOption('--name <text>', 'full name')
    .option('--ror <id>', 'its ROR id')
    .option('--country <code>', 'country code of two letters, such as DE')
    .option('--url <url>', 'its web site')
    .action(createOrganization)
  addCommand(organization, 'list', 'list organizations by slug')
    .option('--after <slug>', 'start after this one')
    .option('--parent <slug>', 'only those right below this one')
    .action(listOrganizations)
  addCommand(organization, 'update', 'change the details of an organization')
    .argument('<slug>', 'slug of the organization')
    .option('--name <text>', 'full name')
    .option('--alias <text...>', 'all its other names')
    .option('--ror <id>', 'its ROR id')
    .option('--country <code>', 'country code of two letters, such as DE')
    .option('--url <url>', 'its web site')
    .addHelpText('after', updateNotes)
    .action(updateOrganization)
  defineSuspension(organization, 'organization', ['<slug>', 'slug of the organization'])
  addCommand(organization, 'name-owner', 'give an organization an owner if it has none')
    .argument('<slug>', 'slug of the organization')
    .argument('<account>', 'confirmed e-mail address or ppid of an account')
    .action(nameOwner)
  addCommand(organization, 'set-parent', 'put an organization below another, such as a consortium')
    .argument('<slug>', 'slug of the organization')
    .argument('<parent>', 'slug of the organization above it')
    .addHelpText('after', parentNotes)
    .action(setParent)
  addCommand(organization, 'remove-parent', 'let an organization leave the one above it')
    .argument('<slug>', 'slug of the organization')
    .action(removeParent)
  defineMember(organization)
}

function defineMember(organization: Command): void {
  const member = organization.command('member').description('manage the people of an organization')
  const slug = () => new Argument('<slug>', 'slug of the organization')
  const ppid = () => new Argument('<ppid>', 'ppid of the person')
  const role = () => new Argument('<role>', 'role of the member').choices(memberRoles)
  addCommand(member, 'list', 'list the members, oldest first')
    .addArgument(slug())
    .action(listMembers)
  addCommand(member, 'add', 'add a person as a member')
    .addArgument(slug())
    .addArgument(ppid())
    .addArgument(role())
    .addHelpText('after', memberNotes)
    .action(addMember)
  addCommand(member, 'role', 'change the role of a member')
    .addArgument(slug())
    .addArgument(ppid())
    .addArgument(role())
    .addHelpText('after', memberNotes)
    .action(changeRole)
  addCommand(member, 'remove', 'remove a member')
    .addArgument(slug())
    .addArgument(ppid())
    .action(removeMember)
}

const createOrganization = calling(
  '/organizations/create',
  (slug: string, { json: _json, ...profile }: CreateOptions) => ({
    organization: { slug, ...profile },
  }),
  ({ organization }, slug) => {
    return [organization, `The organization ${slug} can own keys now, as org:${slug}.`]
  },
  { begins: true },
)

const updateOrganization = calling(
  '/organizations/update',
  (slug: string, { json: _json, alias, ...rest }: UpdateOptions) => {
    const given = { ...rest, ...(alias && { aliases: alias.filter((name) => name !== '') }) }
    const changes = Object.entries(given).map(([name, value]) => {
      return [name, value.length === 0 ? null : value] as const
    })
    return { slug, changes: Object.fromEntries(changes) }
  },
  ({ organization, unchanged }) => {
    const text = describe(organization)
    return [organization, unchanged ? `It is so already: ${text}` : text]
  },
)

const listOrganizations = calling(
  '/organizations/list',
  ({ after, parent }: JsonOption & { readonly after?: string; readonly parent?: string }) => ({
    after,
    parent,
  }),
  ({ organizations }) => [organizations, organizations.map(describe).join('\n')],
)

const listMembers = calling('/organizations/members', (slug: string) => ({ slug }), showMembers)

const nameOwner = calling(
  '/organizations/name-owner',
  (slug: string, account: string) => ({ slug, account }),
  showMembers,
)

const setParent = calling(
  '/organizations/set-parent',
  (slug: string, parent: string) => ({ slug, parent }),
  showParent,
)

const removeParent = calling('/organizations/set-parent', (slug: string) => ({ slug }), showParent)

function showParent({ organization }: AdminReply<'/organizations/set-parent'>) {
  const { slug, parent } = organization
  const text = parent === undefined ? 'is part of no other one' : `is part of ${parent}`
  return [organization, `The organization ${slug} ${text} now.`] as const
}

const addMember = calling(
  '/organizations/add-member',
  (slug: string, ppid: string, role: MemberRole) => ({ slug, ppid, role }),
  showMembers,
)

const changeRole = calling(
  '/organizations/change-role',
  (slug: string, ppid: string, role: MemberRole) => ({ slug, ppid, role }),
  showMembers,
)

const removeMember = calling(
  '/organizations/remove-member',
  (slug: string, ppid: string) => ({ slug, ppid }),
  showMembers,
)

function showMembers({ members }: AdminReply<'/organizations/members'>) {
  const lines = members.map(({ ppid, role, since }) => `${ppid}  ${role}  since ${since}`)
  return [members, lines.join('\n') || 'There are no members.'] as const
}

function describe({
  slug,
  name,
  ror,
  parent,
}: AdminReply<'/organizations/create'>['organization']): string {
  const above = parent === undefined ? [] : [`part of ${parent}`]
  return [`org:${slug}`, name, ror ?? [], above].flat(2).join('  ')
}
