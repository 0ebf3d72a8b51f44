import { type Command, Option } from 'commander'
import {
  addCommand,
  type EnvironmentOption,
  environmentOption,
  type JsonOption,
  parseList,
} from '#src/cli/program.ts'
import { defineSuspension } from '#src/cli/suspension.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import { calling } from '#src/cli/admin_client.ts'
import { type Application, writingOrganization } from '#src/identity/oauth/application_record.ts'

type CreateOptions = EnvironmentOption & {
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
  defineSuspension(application, 'application', ['<client-id>', 'id of the application'])
  addCommand(application, 'rotate-secret', 'replace its secret; the old one works on for a day')
    .argument('<client-id>', 'id of the application')
    .action(rotateSecret)
}

const createApplication = calling(
  '/applications/create',
  (name: string, options: CreateOptions) => {
    const { json: _json, redirect, postLogout, public: isPublic, logo, ...rest } = options
    return {
      name,
      redirect_uris: redirect,
      post_logout_redirect_uris: postLogout,
      kind: isPublic ? 'public' : 'confidential',
      ...rest,
      logo_uri: logo,
    } as const
  },
  (reply) => [reply, describeSecret(reply)],
  { begins: true },
)

function describeSecret({ application, secret }: AdminReply<'/applications/create'>): string {
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

const listApplications = calling(
  '/applications/list',
  ({ organization }: JsonOption & { readonly organization?: string }) => ({ organization }),
  ({ applications }) => {
    const text = applications.map(describe).join('\n')
    return [applications, text || 'There are no applications.']
  },
)

function describe(application: Application): string {
  const { client_id, state, name } = application
  return [client_id, state, writerOf(application) ?? 'person', name].join('  ')
}

function writerOf(application: Application): string | undefined {
  const organization = writingOrganization(application)
  return organization === null ? undefined : `org:${organization}`
}

const approveApplication = calling(
  '/applications/approve',
  (client_id: string) => ({ client_id }),
  ({ application }) => [application, `The application ${application.name} is approved.`],
)

const revokeApplication = calling(
  '/applications/revoke',
  (client_id: string) => ({ client_id }),
  ({ application }) => {
    return [application, `The application ${application.name} has ended, with its permissions.`]
  },
)

const rotateSecret = calling(
  '/applications/rotate-secret',
  (client_id: string) => ({ client_id }),
  (reply) => [reply, `${describeSecret(reply)}\nThe old one works for a day.`],
)
