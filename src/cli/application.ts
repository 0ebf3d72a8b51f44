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
People are warned about an application until you approve it (application approve). An application of
an organization writes as that organization, unless it is public. A public application, or one
without an organization, writes as the person.`

/** Adds `application create|list|approve|revoke|rotate-secret`. */
export function defineApplication(program: Command): void {
  const application = program
    .command('application')
    .description('manage applications, which people can permit to act for them')
  addCommand(application, 'create', 'register an application and show its secret, once')
    .argument('<name>', 'name that people see')
    .requiredOption(
      '--redirect <addresses>',
      'redirect URIs: https, http to this computer, or with --public com.example.app:/back',
      parseList,
    )
    .option(
      '--post-logout <addresses>',
      'redirect URIs after signing out (default: as --redirect)',
      parseList,
    )
    .addOption(environmentOption('its environment; in the sandbox, test people give permission'))
    .option('--organization <slug>', 'the organization that owns it')
    .option('--owner <ppid>', 'the person who runs it (default: the operator)')
    .option('--scopes <scopes>', 'scopes it can request (default: all)', parseList)
    .option('--public', 'its users can read its code, so it gets no secret', false)
    .option('--homepage <url>', 'its web site')
    .option('--logo <url>', 'address of its logo')
    .option('--contact <address>', 'contact e-mail address')
    .addHelpText('after', createNotes)
    .action(createApplication)
  addCommand(application, 'list', 'list applications, oldest first')
    .addOption(new Option('--organization <slug>', 'only those of an organization'))
    .action(listApplications)
  addCommand(application, 'approve', 'approve an application, so people see no warning')
    .argument('<client-id>', 'id of the application')
    .action(approveApplication)
  addCommand(application, 'revoke', 'permanently end an application and all its permissions')
    .argument('<client-id>', 'id of the application')
    .action(revokeApplication)
  defineSuspension(application, 'application', ['<client-id>', 'id of the application'])
  addCommand(application, 'rotate-secret', 'rotate its secret; the old one works for another day')
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
      : ['', 'The secret is shown only now. Keep it where nobody else can read it.']),
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
