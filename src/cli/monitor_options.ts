import { type Command, InvalidArgumentError } from 'commander'

import { parseCommand } from '#src/tlog_tools/monitor/alarm_channels.ts'
import { isHttpAddress } from '#src/tlog_tools/monitor/log_source.ts'
import type { SmallAddress } from '#src/start/small_server.ts'

/** Adds the options that say which key of a log is trusted (`MonitorKeys`). */
export function addKeyOptions(command: Command): Command {
  return command
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--vkey <vkey>', 'the log’s verifier key, instead of a key file')
    .option('--sandbox', 'take the key of the sandbox’s log from the key file', false)
}

/** Adds the options that say who is told of alarms, and whether a service ends then. */
export function addAlarmOptions(command: Command): Command {
  return command
    .option('--exit-on-alarm', 'end a service at its first alarm, with exit code 1', false)
    .option('--alarm-command <words>', 'a program that gets each report as JSON', parseWords)
    .option('--alarm-webhook <url>', 'an address to which each report is posted', parseUrl)
    .option('--webhook-secret <file>', 'signs what is posted (Standard Webhooks)')
}

/** Reads an http or https address. Throws InvalidArgumentError, as the others do. */
export function parseUrl(text: string): string {
  if (isHttpAddress(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}

/** Reads a time in whole seconds. */
export function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number of seconds from 1.')
}

/** Reads where to listen: `127.0.0.1:9465`, `[::1]:9465`. */
export function parseListen(text: string): SmallAddress {
  const [, v6, host = v6, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  if (host !== undefined && Number(port) < 65_536) return { host, port: Number(port) }
  throw new InvalidArgumentError('It must be a host and a port, such as 127.0.0.1:9465.')
}

function parseWords(text: string): readonly [string, ...string[]] {
  const words = parseCommand(text)
  if (words !== undefined) return words
  throw new InvalidArgumentError('It must be words, or a JSON list of texts: a program first.')
}
