import type { Command } from 'commander'

import { createProgram, runProgram } from '#src/cli/program.ts'

type Definition = (program: Command) => void

// The commands in the order of the help. A module is loaded when its command is asked for: half of
// what it takes to start a command is loading what it needs.
const commands: Readonly<Record<string, () => Promise<Definition>>> = {
  serve: async () => (await import('#src/cli/serve.ts')).defineServe,
  key: async () => (await import('#src/cli/key.ts')).defineKey,
  organization: async () => (await import('#src/cli/organization.ts')).defineOrganization,
  application: async () => (await import('#src/cli/application.ts')).defineApplication,
  account: async () => (await import('#src/cli/account.ts')).defineAccount,
  'receipt-key': async () => (await import('#src/cli/receipt_key.ts')).defineReceiptKey,
  'token-key': async () => (await import('#src/cli/token_key.ts')).defineTokenKey,
  fixity: async () => (await import('#src/cli/fixity.ts')).defineFixity,
  reindex: async () => (await import('#src/cli/reindex.ts')).defineReindex,
  import: async () => (await import('#src/cli/import.ts')).defineImport,
  verify: async () => (await import('#src/cli/verify.ts')).defineVerify,
  work: async () => (await import('#src/cli/work.ts')).defineWork,
  audit: async () => (await import('#src/cli/audit.ts')).defineAudit,
  monitor: async () => (await import('#src/cli/monitor.ts')).defineMonitor,
  oai: async () => (await import('#src/cli/oai.ts')).defineOai,
}

// What any command writes is its owner's alone, unless it says otherwise.
process.umask(0o077)

const program = createProgram()
const [, , name = ''] = process.argv
const asked = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands)
for (const load of asked) (await load?.())?.(program)

// The code is set, not passed to process.exit: what was printed must reach a pipe first, and a
// server goes on after its command.
process.exitCode = await runProgram(program, process.argv)
