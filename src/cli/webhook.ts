import { Argument, type Command, InvalidArgumentError } from 'commander'

import type { AdminReply } from '#src/http/admin/command_table.ts'
import type { DeliveryReply, WebhookReply } from '#src/use_cases/webhook_service.ts'
import { calling } from '#src/cli/admin_client.ts'
import {
  addCommand,
  type EnvironmentOption,
  environmentOption,
  type JsonOption,
  parseList,
} from '#src/cli/program.ts'

type CreateOptions = EnvironmentOption & {
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
Without --events it receives all events that its owner may read, except log.checkpoint. Only
applications receive profile.updated and permission.revoked.`

const replayNotes = `
With --until the range is sent again, in addition to new events. Without it, deliveries continue
after the change instead of where they were: a later change skips the events before it.`

/** Adds `webhook create|list|…`: where organizations and applications hear of what happens. */
export function defineWebhook(program: Command): void {
  const webhook = program.command('webhook').description('manage and test webhooks')
  addCommand(webhook, 'create', 'create a webhook and show its secret once')
    .argument('<organization>', 'slug of its organization')
    .argument('<url>', 'endpoint that receives the messages')
    .addOption(environmentOption('environment of its events'))
    .option('--application <client-id>', 'the application of the organization that it belongs to')
    .option('--events <kinds>', 'events to send, such as work.created,work.withdrawn', parseList)
    .option('--description <text>', 'its purpose, one line')
    .addHelpText('after', createNotes)
    .action(createWebhook)
  addCommand(webhook, 'list', 'list the webhooks of an organization and of its applications')
    .argument('<organization>', 'slug of the organization')
    .addOption(environmentOption('environment of their events'))
    .action(listWebhooks)
  addCommand(webhook, 'show', 'show a webhook and the progress of its deliveries')
    .addArgument(idArgument())
    .action(onWebhook('/webhooks/read'))
  addCommand(webhook, 'update', 'change a webhook; anything you do not give stays the same')
    .addArgument(idArgument())
    .option('--url <url>', 'endpoint that receives the messages')
    .option('--events <kinds>', 'all events to send', parseList)
    .option('--description <text>', 'its purpose, one line')
    .action(updateWebhook)
  defineSteps(webhook)
}

function defineSteps(webhook: Command): void {
  addCommand(webhook, 'ping', 'send a test message to a webhook')
    .addArgument(idArgument())
    .action(onWebhook('/webhooks/ping'))
  addCommand(webhook, 'pause', 'pause a webhook')
    .addArgument(idArgument())
    .action(onWebhook('/webhooks/pause'))
  addCommand(webhook, 'resume', 'resume a webhook at once, where it stopped')
    .addArgument(idArgument())
    .action(onWebhook('/webhooks/resume'))
  addCommand(webhook, 'replay', 'send the events after a change again')
    .addArgument(idArgument())
    .argument('<after>', 'seq of the change in the feed of changes, or 0', parseNumber)
    .option('--until <seq>', 'last change to send again', parseNumber)
    .addHelpText('after', replayNotes)
    .action(replay)
  addCommand(webhook, 'replay-delivery', 'send the message of one delivery again')
    .addArgument(idArgument())
    .argument('<number>', 'number of the delivery', parseNumber)
    .action(replayDelivery)
  addCommand(webhook, 'deliveries', 'list recent deliveries, newest first')
    .addArgument(idArgument())
    .option('--before <number>', 'start before this one', parseNumber)
    .option('--limit <count>', 'how many (default: 20)', parseNumber)
    .action(listDeliveries)
  addCommand(webhook, 'rotate-secret', 'rotate the secret; the old one also signs for another day')
    .addArgument(idArgument())
    .action(rotateSecret)
  addCommand(webhook, 'remove', 'remove a webhook, its secret and its deliveries')
    .addArgument(idArgument())
    .action(removeWebhook)
}

function idArgument(): Argument {
  return new Argument('<id>', 'id of the webhook, we_…')
}

function parseNumber(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

function onWebhook(
  path: '/webhooks/read' | '/webhooks/ping' | '/webhooks/pause' | '/webhooks/resume',
) {
  return calling(path, (id: string) => ({ id }), showWebhook)
}

function showWebhook({ webhook }: { readonly webhook: WebhookReply }) {
  return [webhook, describe(webhook)] as const
}

const createWebhook = calling(
  '/webhooks/create',
  (organization: string, url: string, { json: _json, environment, ...draft }: CreateOptions) => ({
    organization,
    environment,
    webhook: { url, ...draft },
  }),
  (reply) => [reply, describeSecret(reply)],
)

const updateWebhook = calling(
  '/webhooks/update',
  (id: string, { json: _json, ...changes }: UpdateOptions) => ({ id, changes }),
  showWebhook,
)

const replay = calling(
  '/webhooks/replay',
  (id: string, after: number, { until }: JsonOption & { readonly until?: number }) => ({
    id,
    after,
    until,
  }),
  showWebhook,
)

const replayDelivery = calling(
  '/webhooks/replay-delivery',
  (id: string, number: number) => ({ id, number }),
  showWebhook,
)

const rotateSecret = calling(
  '/webhooks/rotate-secret',
  (id: string) => ({ id }),
  (reply) => [reply, `${describeSecret(reply)}\nThe old one signs for a day as well.`],
)

const removeWebhook = calling(
  '/webhooks/remove',
  (id: string) => ({ id }),
  (reply) => [reply, `The webhook ${reply.id} is removed.`],
)

const listWebhooks = calling(
  '/webhooks/list',
  (organization: string, { environment }: EnvironmentOption) => ({ organization, environment }),
  ({ webhooks }) => {
    const lines = webhooks.map(({ id, status, url, application }) =>
      [id, status, url, ...(application === null ? [] : [application])].join('  '),
    )
    return [webhooks, lines.join('\n') || 'There are no webhooks.']
  },
)

const listDeliveries = calling(
  '/webhooks/deliveries',
  (id: string, { before, limit }: JsonOption & { before?: number; limit?: number }) => ({
    id,
    before,
    limit,
  }),
  (reply) => {
    const more = reply.next === null ? [] : [`There are more: --before ${reply.next}`]
    const lines = [...reply.deliveries.map(describeDelivery), ...more]
    return [reply, lines.join('\n') || 'Nothing was sent yet.']
  },
)

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

function describeSecret({ webhook, secret }: AdminReply<'/webhooks/create'>): string {
  return [
    describe(webhook),
    `  secret        ${secret}`,
    '',
    'The secret is shown only now. Keep it where nobody else can read it.',
  ].join('\n')
}
