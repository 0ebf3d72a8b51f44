import { type Command, Option } from 'commander'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { readConfig } from '#config/config.ts'
import { type AdminClient, withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, environmentOption, type JsonOption, print } from '#src/cli/program.ts'
import type { AdminBody } from '#src/admin/command_table.ts'
import { type Application, writingOrganization } from '#src/identity/oauth/application_record.ts'

type CreateOptions = JsonOption & {
  readonly environment: EnvironmentName
  readonly redirect: string[]
  readonly postLogout?: string[]
  readonly public: boolean
  readonly organization?: string
  readonly owner?: string
  readonly scopes?: string[]
  readonly homepage?: string
  readonly logo?: string
  readonly contact?: string
}

const createNotes = `
Researchers are warned of an application until it is approved (application approve). One that has an
organization writes as that organization, unless it is public: that one writes as the researcher, as
does one without an organization.`

/** Adds `application create|list|approve|revoke|rotate-secret`. */
export function defineApplication(program: Command): void {
  const application = program
    .command('application')
    .description('manage the applications that people can permit to act for them')
  addCommand(application, 'create', 'register an application and show its secret, once')
    .argument('<name>', 'what people see it called')
    .requiredOption(
      '--redirect <addresses>',
      'where it has people sent back to: https, or http to this computer',
      parseList,
    )
    .option(
      '--post-logout <addresses>',
      'where it has people sent who sign out (default: as --redirect)',
      parseList,
    )
    .addOption(environmentOption('the registry it is for: in the sandbox test people permit it'))
    .option('--organization <slug>', 'the organization whose it is')
    .option('--owner <ppid>', 'the person who runs it (default: the operator)')
    .option('--scopes <scopes>', 'the most that it may ask for (default: everything)', parseList)
    .option('--public', 'it runs where its users can read it, and has no secret', false)
    .option('--homepage <url>', 'its web site')
    .option('--logo <url>', 'its picture')
    .option('--contact <address>', 'an e-mail address')
    .addHelpText('after', createNotes)
    .action(createApplication)
  addCommand(application, 'list', 'list applications, oldest first')
    .addOption(new Option('--organization <slug>', 'only those of an organization'))
    .action(listApplications)
  addCommand(application, 'approve', 'say that an application is known: people are not warned')
    .argument('<client-id>', 'id of the application')
    .action(approveApplication)
  addCommand(application, 'revoke', 'end an application and all it was permitted, for good')
    .argument('<client-id>', 'id of the application')
    .action(revokeApplication)
  addCommand(application, 'rotate-secret', 'replace its secret; the old one works on for a day')
    .argument('<client-id>', 'id of the application')
    .action(rotateSecret)
}

function parseList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

async function createApplication(name: string, options: CreateOptions): Promise<void> {
  const { json, redirect, postLogout, public: isPublic, logo, ...rest } = options
  const body: AdminBody<'/applications/create'> = {
    name,
    redirect_uris: redirect,
    ...(postLogout !== undefined && { post_logout_redirect_uris: postLogout }),
    kind: isPublic ? 'public' : 'confidential',
    ...rest,
    ...(logo !== undefined && { logo_uri: logo }),
  }
  const create = (client: AdminClient) => client.call('/applications/create', body)
  const reply = await withAdminClient(readConfig(process.env), create, { begins: true })
  print({ json }, reply, describeSecret(reply.application, reply.secret))
}

function describeSecret(application: Application, secret: string | null): string {
  const { client_id, name, redirect_uris, scopes } = application
  return [
    `  client_id      ${client_id}`,
    `  client_secret  ${secret ?? 'none: it is public'}`,
    `  name           ${name}`,
    `  writes as      ${writerOf(application) ?? 'the person'}`,
    `  sends back to  ${redirect_uris.join(' ')}`,
    `  may ask for    ${scopes.join(' ')}`,
    ...(secret === null
      ? []
      : ['', 'The secret is shown only now: keep it where no one reads it.']),
  ].join('\n')
}

async function listApplications(
  options: JsonOption & AdminBody<'/applications/list'>,
): Promise<void> {
  const { json, ...filter } = options
  const { applications } = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/applications/list', filter),
  )
  const lines = applications.map(describe)
  print(
    { json },
    applications,
    lines.length === 0 ? 'There are no applications.' : lines.join('\n'),
  )
}

function describe(application: Application): string {
  const { client_id, state, name } = application
  return [client_id, state, writerOf(application) ?? 'person', name].join('  ')
}

function writerOf(application: Application): string | undefined {
  const organization = writingOrganization(application)
  return organization === null ? undefined : `org:${organization}`
}

async function approveApplication(client_id: string, options: JsonOption): Promise<void> {
  const { application } = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/applications/approve', { client_id }),
  )
  print(options, application, `The application ${application.name} is approved.`)
}

async function revokeApplication(client_id: string, options: JsonOption): Promise<void> {
  const { application } = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/applications/revoke', { client_id }),
  )
  print(
    options,
    application,
    `The application ${application.name} has ended, with its permissions.`,
  )
}

async function rotateSecret(client_id: string, options: JsonOption): Promise<void> {
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/applications/rotate-secret', { client_id }),
  )
  const text = `${describeSecret(reply.application, reply.secret)}\nThe old one works for a day.`
  print(options, reply, text)
}
