import { receiptKeyId } from '#actors/receipts/statement.ts'
import { print } from '#src/cli/program.ts'
import { adviceOf } from '#src/tlog_tools/monitor/alarm.ts'
import type { FollowedRotation, RoundOutcome } from '#src/tlog_tools/monitor/round.ts'
import type { MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'
import type { Channel } from '#src/tlog_tools/monitor/outbox.ts'

type Printed = { readonly json: boolean }

/** Prints what a round found, a line for each thing. */
export function printRound(round: MonitorRound, atMs: number, options: Printed): void {
  const at = new Date(atMs).toISOString()
  const { outcome } = round
  if (outcome.type !== 'alarm') {
    const { treeSize, ...rest } = { treeSize: undefined, ...outcome }
    print(options, { at, ...rest, tree_size: treeSize }, `${at} ${describe(outcome)}`)
  }
  for (const { place, alarm, evidence } of round.alarms) {
    const { type, kind, message } = alarm
    const advice = adviceOf(kind)
    const said = `${at} ALARM ${kind}: ${message}`
    const text = `${said}\n  what to do: ${advice}\n  evidence: ${evidence}`
    print(options, { at, type, kind, place, message, advice, evidence }, text)
  }
  printFailures(round, at, options)
}

/** Prints what a service has to say of a round beside its reports: what is new, and failures. */
export function printServedRound(round: MonitorRound, atMs: number): void {
  const at = new Date(atMs).toISOString()
  const { outcome } = round
  const options = { json: true }
  if (outcome.type === 'started' || outcome.type === 'advanced') {
    const { treeSize, ...rest } = outcome
    print(options, { at, ...rest, tree_size: treeSize }, '')
  }
  if (outcome.type === 'unreachable') print(options, { at, ...outcome }, '')
  printFailures(round, at, options)
}

function printFailures(round: MonitorRound, at: string, options: Printed): void {
  for (const { place, message } of round.failures) {
    // Of the log itself it was told already.
    if (place === 'log') continue
    print(options, { at, type: 'not_checked', place, message }, `${at} not checked: ${message}`)
  }
  for (const { channel, message } of round.undelivered) {
    const text = `${at} not told by ${channel}: ${message}`
    print(options, { at, type: 'undelivered', channel, message }, text)
  }
  const { left = 0, isMore = false } = round.watch ?? {}
  if (isMore) {
    const text = `${at} ${left} entries are still to be looked through`
    print(options, { at, type: 'watch_goes_on', left }, text)
  }
}

/** Prints reports as they go out; `alarms`: also those that a round prints by itself otherwise. */
export function lineChannel(options: Printed, { alarms }: { readonly alarms: boolean }): Channel {
  return {
    name: 'line',
    async send(report) {
      if (report.type === 'alarm' && !alarms) return
      const { at, type, message, proof } = report
      const more = proof === undefined ? '' : `\n  proof: ${proof}`
      print(options, report, `${at} ${type}: ${message}${more}`)
    },
  }
}

/** Prints that the log has led to another receipt key. */
export function printRotation(rotation: FollowedRotation, options: Printed): void {
  const { leafIndex: leaf_index, oldPublicKey, newPublicKey, timestamp } = rotation
  const [old_public_key, new_public_key] = [oldPublicKey, newPublicKey]
  const ids = [oldPublicKey, newPublicKey].map(receiptKeyId)
  const at = new Date().toISOString()
  const when = `at ${timestamp}, entry ${leaf_index}`
  const text = `${at} receipt key ${ids[0]} was replaced by ${ids[1]} ${when}`
  const fields = { leaf_index, timestamp, old_public_key, new_public_key }
  print(options, { at, type: 'key_rotated', ...fields }, text)
}

function describe(outcome: Exclude<RoundOutcome, { type: 'alarm' }>): string {
  switch (outcome.type) {
    case 'started':
      return `first look: ${outcome.treeSize} entries; this head is taken on trust`
    case 'advanced':
      return `the log grew from ${outcome.from} to ${outcome.treeSize} entries, and only grew`
    case 'unchanged':
      return `nothing new: ${outcome.treeSize} entries`
    case 'unreachable':
      return `not reached: ${outcome.message}`
  }
}
