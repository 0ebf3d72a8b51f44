import { Argument, type Command } from 'commander'
import type { Member, Organization } from '#actors/organizations/port.ts'
import { readConfig } from '#config/config.ts'
import { type AdminClient, withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, type JsonOption, print } from '#src/cli/program.ts'
import type { AdminBody } from '#src/admin/command_table.ts'
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
What is not named stays as it is; an empty text, as in --url "", removes what was there. The slug
never changes.`

const memberNotes = `
An owner does everything, members and keys included; an editor registers and changes works and
describes the organization; a viewer sees what only members see.`

/** Adds `organization create|list|update|member`: the owners that keys and works can have. */
export function defineOrganization(program: Command): void {
  const organization = program.command('organization').description('manage organizations')
  addCommand(organization, 'create', 'add an organization, which keys can then act for')
    .argument('<slug>', 'short name for ever, of lower-case letters, digits and hyphens')
    .requiredOption('--name <text>', 'name in full')
    .option('--ror <id>', 'its ROR id')
    .option('--country <code>', 'two letters, such as DE')
    .option('--url <url>', 'its web site')
    .action(createOrganization)
  addCommand(organization, 'list', 'list organizations by slug')
    .option('--after <slug>', 'begin after this one')
    .action(listOrganizations)
  addCommand(organization, 'update', 'change what is said of an organization')
    .argument('<slug>', 'which one')
    .option('--name <text>', 'name in full')
    .option('--alias <text...>', 'its other names, all of them')
    .option('--ror <id>', 'its ROR id')
    .option('--country <code>', 'two letters, such as DE')
    .option('--url <url>', 'its web site')
    .addHelpText('after', updateNotes)
    .action(updateOrganization)
  defineMember(organization)
}

function defineMember(organization: Command): void {
  const member = organization.command('member').description('manage the people of an organization')
  const slug = () => new Argument('<slug>', 'which organization')
  const ppid = () => new Argument('<ppid>', 'which person')
  const role = () => new Argument('<role>', 'what they may do').choices(memberRoles)
  addCommand(member, 'list', 'list the members in the order in which they came')
    .addArgument(slug())
    .action(listMembers)
  addCommand(member, 'add', 'make a person a member')
    .addArgument(slug())
    .addArgument(ppid())
    .addArgument(role())
    .addHelpText('after', memberNotes)
    .action(addMember)
  addCommand(member, 'role', 'give a member another role')
    .addArgument(slug())
    .addArgument(ppid())
    .addArgument(role())
    .addHelpText('after', memberNotes)
    .action(changeRole)
  addCommand(member, 'remove', 'end a membership')
    .addArgument(slug())
    .addArgument(ppid())
    .action(removeMember)
}

function ask<T>(call: (client: AdminClient) => Promise<T>): Promise<T> {
  return withAdminClient(readConfig(process.env), call)
}

async function createOrganization(slug: string, options: CreateOptions): Promise<void> {
  const { json, ...profile } = options
  const create = (client: AdminClient) =>
    client.call('/organizations/create', { organization: { slug, ...profile } })
  const { organization } = await withAdminClient(readConfig(process.env), create, { begins: true })
  print({ json }, organization, `The organization ${slug} can own keys now, as org:${slug}.`)
}

async function updateOrganization(slug: string, options: UpdateOptions): Promise<void> {
  const { json, alias, ...rest } = options
  const given = { ...rest, ...(alias && { aliases: alias.filter((name) => name !== '') }) }
  const changes = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.length === 0 ? null : value]),
  )
  const { organization, unchanged } = await ask((client) =>
    client.call('/organizations/update', { slug, changes }),
  )
  const text = unchanged ? `It is so already: ${describe(organization)}` : describe(organization)
  print({ json }, organization, text)
}

async function listOrganizations(
  options: JsonOption & AdminBody<'/organizations/list'>,
): Promise<void> {
  const { json, ...page } = options
  const { organizations } = await ask((client) => client.call('/organizations/list', page))
  print({ json }, organizations, organizations.map(describe).join('\n'))
}

async function listMembers(slug: string, options: JsonOption): Promise<void> {
  const { members } = await ask((client) => client.call('/organizations/members', { slug }))
  printMembers(options, members)
}

async function addMember(
  slug: string,
  ppid: string,
  role: MemberRole,
  options: JsonOption,
): Promise<void> {
  const { members } = await ask((client) =>
    client.call('/organizations/add-member', { slug, ppid, role }),
  )
  printMembers(options, members)
}

async function changeRole(
  slug: string,
  ppid: string,
  role: MemberRole,
  options: JsonOption,
): Promise<void> {
  const { members } = await ask((client) =>
    client.call('/organizations/change-role', { slug, ppid, role }),
  )
  printMembers(options, members)
}

async function removeMember(slug: string, ppid: string, options: JsonOption): Promise<void> {
  const { members } = await ask((client) =>
    client.call('/organizations/remove-member', { slug, ppid }),
  )
  printMembers(options, members)
}

function printMembers(options: JsonOption, members: readonly Member[]): void {
  const lines = members.map(({ ppid, role, since }) => `${ppid}  ${role}  since ${since}`)
  print(options, members, lines.length === 0 ? 'There are no members.' : lines.join('\n'))
}

function describe({ slug, name, ror }: Organization): string {
  return [`org:${slug}`, name, ror ?? ''].join('  ').trimEnd()
}
