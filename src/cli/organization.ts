import type { Command } from 'commander'
import type { Organization } from '#actors/organizations.ts'
import { readConfig } from '#config/config.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, print } from '#src/cli/program.ts'
import type { AdminBody } from '#src/http/admin_routes.ts'

type Json = { readonly json: boolean }

type CreateOptions = Json & {
  readonly name: string
  readonly ror?: string
  readonly country?: string
  readonly url?: string
}

/** Adds `organization create|list`: the owners that keys and works can have. */
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
}

async function createOrganization(slug: string, options: CreateOptions): Promise<void> {
  const { json, ...profile } = options
  const { organization } = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/organizations/create', { organization: { slug, ...profile } }),
  )
  print({ json }, organization, `The organization ${slug} can own keys now, as org:${slug}.`)
}

async function listOrganizations(options: Json & AdminBody<'/organizations/list'>): Promise<void> {
  const { json, ...page } = options
  const { organizations } = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/organizations/list', page),
  )
  print({ json }, organizations, organizations.map(describe).join('\n'))
}

function describe({ slug, name, ror }: Organization): string {
  return [`org:${slug}`, name, ror ?? ''].join('  ').trimEnd()
}
