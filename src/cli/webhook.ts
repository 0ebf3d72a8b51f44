import { Argument, type Command, InvalidArgumentError } from 'commander'

import { readConfig } from '#config/config.ts'
import type { AdminCalls, AdminPath, WebhookSecretReply } from '#src/admin/command_table.ts'
import type { DeliveryReply, WebhookReply } from '#src/use_cases/webhook_reply.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, environmentOption, type JsonOption, print } from '#src/cli/program.ts'

type CreateOptions = JsonOption & {
  readonly environment: 'live' | 'sandbox'
  readonly application?: string
  readonly events?: string[]
  readonly description?: string
}

type UpdateOptions = JsonOption & {
  readonly url?: string
  readonly events?: string[]
  readonly description?: string
}

const createNotes = `
Without --events it hears of all kinds that its owner may read, but for log.checkpoint. Only
applications hear of profile.updated and permission.revoked.`

const replayNotes = `
With --until the range is sent beside what is new. Without it, deliveries go on from after the
change in place of where they were: a later change than that skips what is before it.`

/** Adds `webhook create|list|…`: where organizations and applications hear of what happens. */
export function defineWebhook(program: Command): void {
  const webhook = program.command('webhook').description('manage webhooks, and try them out')
  addCommand(webhook, 'create', 'make a webhook and show its secret, once')
    .argument('<organization>', 'whose it is, by slug')
    .argument('<url>', 'where messages are posted')
    .addOption(environmentOption('the registry of which it hears'))
    .option('--application <client-id>', 'the application of the organization for which it hears')
    .option('--events <kinds>', 'what it hears of, such as work.created,work.withdrawn', parseList)
    .option('--description <text>', 'what it is for, in a line')
    .addHelpText('after', createNotes)
    .action(createWebhook)
  addCommand(webhook, 'list', 'list the webhooks of an organization and of its applications')
    .argument('<organization>', 'whose, by slug')
    .addOption(environmentOption('the registry of which they hear'))
    .action(listWebhooks)
  addCommand(webhook, 'show', 'show a webhook, and how far its deliveries have come')
    .addArgument(idArgument())
    .action((id: string, options: JsonOption) => act('/webhooks/read', { id }, options))
  addCommand(webhook, 'update', 'change a webhook; what is not named stays as it is')
    .addArgument(idArgument())
    .option('--url <url>', 'where messages are posted')
    .option('--events <kinds>', 'what it hears of, all of it', parseList)
    .option('--description <text>', 'what it is for, in a line')
    .action((id: string, { json, ...draft }: UpdateOptions) =>
      act('/webhooks/update', { id, ...draft }, { json }),
    )
  defineSteps(webhook)
}

function defineSteps(webhook: Command): void {
  addCommand(webhook, 'ping', 'send a message that tries a webhook out')
    .addArgument(idArgument())
    .action((id: string, options: JsonOption) => act('/webhooks/ping', { id }, options))
  addCommand(webhook, 'pause', 'send nothing to a webhook for now')
    .addArgument(idArgument())
    .action((id: string, options: JsonOption) => act('/webhooks/pause', { id }, options))
  addCommand(webhook, 'resume', 'go on where deliveries were, at once')
    .addArgument(idArgument())
    .action((id: string, options: JsonOption) => act('/webhooks/resume', { id }, options))
  addCommand(webhook, 'replay', 'send again what was sent after a change')
    .addArgument(idArgument())
    .argument('<after>', 'seq of the change in the feed of changes, or 0', parseNumber)
    .option('--until <seq>', 'the last change that is sent again', parseNumber)
    .addHelpText('after', replayNotes)
    .action((id: string, after: number, { json, until }: JsonOption & { until?: number }) =>
      act('/webhooks/replay', { id, after, ...(until !== undefined && { until }) }, { json }),
    )
  addCommand(webhook, 'replay-delivery', 'send the message of one delivery again')
    .addArgument(idArgument())
    .argument('<number>', 'number of the delivery', parseNumber)
    .action((id: string, number: number, options: JsonOption) =>
      act('/webhooks/replay-delivery', { id, number }, options),
    )
  addCommand(webhook, 'deliveries', 'list the deliveries that are kept, newest first')
    .addArgument(idArgument())
    .option('--before <number>', 'begin before this one', parseNumber)
    .option('--limit <count>', 'how many (default: 20)', parseNumber)
    .action(listDeliveries)
  addCommand(webhook, 'rotate-secret', 'replace the secret; the old one signs for a day as well')
    .addArgument(idArgument())
    .action(rotateSecret)
  addCommand(webhook, 'remove', 'remove a webhook with its secret and its deliveries')
    .addArgument(idArgument())
    .action(removeWebhook)
}

function idArgument(): Argument {
  return new Argument('<id>', 'id of the webhook, we_…')
}

function parseList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function parseNumber(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

function call<P extends AdminPath>(
  path: P,
  body: AdminCalls[P]['body'],
): Promise<AdminCalls[P]['reply']> {
  return withAdminClient(readConfig(process.env), (client) => client.call(path, body))
}

type StepPath =
  | '/webhooks/read'
  | '/webhooks/update'
  | '/webhooks/ping'
  | '/webhooks/pause'
  | '/webhooks/resume'
  | '/webhooks/replay'
  | '/webhooks/replay-delivery'

async function act<P extends StepPath>(
  path: P,
  body: AdminCalls[P]['body'],
  options: JsonOption,
): Promise<void> {
  const { webhook } = await call(path, body)
  print(options, webhook, describe(webhook))
}

async function createWebhook(
  organization: string,
  url: string,
  { json, ...rest }: CreateOptions,
): Promise<void> {
  const reply = await call('/webhooks/create', { organization, url, ...rest })
  print({ json }, reply, describeSecret(reply))
}

async function rotateSecret(id: string, options: JsonOption): Promise<void> {
  const reply = await call('/webhooks/rotate-secret', { id })
  print(options, reply, `${describeSecret(reply)}\nThe old one signs for a day as well.`)
}

async function removeWebhook(id: string, options: JsonOption): Promise<void> {
  const reply = await call('/webhooks/remove', { id })
  print(options, reply, `The webhook ${id} is removed.`)
}

async function listWebhooks(
  organization: string,
  { json, environment }: JsonOption & { readonly environment: 'live' | 'sandbox' },
): Promise<void> {
  const { webhooks } = await call('/webhooks/list', { organization, environment })
  const lines = webhooks.map(({ id, status, url, application }) =>
    [id, status, url, ...(application === null ? [] : [application])].join('  '),
  )
  print({ json }, webhooks, lines.length === 0 ? 'There are no webhooks.' : lines.join('\n'))
}

async function listDeliveries(
  id: string,
  { json, before, limit }: JsonOption & { readonly before?: number; readonly limit?: number },
): Promise<void> {
  const reply = await call('/webhooks/deliveries', {
    id,
    ...(before !== undefined && { before }),
    ...(limit !== undefined && { limit }),
  })
  const { deliveries, next } = reply
  const more = next === null ? [] : [`There are more: --before ${next}`]
  const lines = [...deliveries.map(describeDelivery), ...more]
  print({ json }, reply, lines.length === 0 ? 'Nothing was sent yet.' : lines.join('\n'))
}

function describeDelivery({ number, at, type, message, answer, problem }: DeliveryReply): string {
  const result = answer === null ? (problem ?? 'no answer') : `answered ${answer.status}`
  return [number, at, type, message, result].join('  ')
}

function describe(webhook: WebhookReply): string {
  const { id, url, organization, application, status, events, failures, failure } = webhook
  return [
    `  id            ${id}`,
    `  url           ${url}`,
    `  for           ${application ?? `org:${organization}`}`,
    `  status        ${status}${failure === null ? '' : `: ${failure.reason}`}`,
    `  hears of      ${events.join(' ')}`,
    `  delivered to  ${webhook.delivered_to}`,
    ...(failures === 0 ? [] : [`  failed tries  ${failures}`]),
    ...(webhook.next_try_at === null ? [] : [`  next try      ${webhook.next_try_at}`]),
    `  public key    ${webhook.public_key}`,
  ].join('\n')
}

function describeSecret({ webhook, secret }: WebhookSecretReply): string {
  return [
    describe(webhook),
    `  secret        ${secret}`,
    '',
    'The secret is shown only now: keep it where no one reads it.',
  ].join('\n')
}
