import type { Command } from 'commander'

import { createProgram, runProgram } from '#src/cli/program.ts'

type Definition = (program: Command) => void

// In the order of the help. A module is loaded when its command is asked for: half of what it takes
// to start a command is loading what it needs.
const definitions: Readonly<Record<string, () => Promise<Definition>>> = {
  serve: async () => (await import('#src/cli/serve.ts')).defineServe,
  key: async () => (await import('#src/cli/key.ts')).defineKey,
  organization: async () => (await import('#src/cli/organization.ts')).defineOrganization,
  application: async () => (await import('#src/cli/application.ts')).defineApplication,
  webhook: async () => (await import('#src/cli/webhook.ts')).defineWebhook,
  account: async () => (await import('#src/cli/account.ts')).defineAccount,
  mail: async () => (await import('#src/cli/account.ts')).defineMail,
  'receipt-key': async () => (await import('#src/cli/registry.ts')).defineReceiptKey,
  'token-key': async () => (await import('#src/cli/registry.ts')).defineTokenKey,
  clock: async () => (await import('#src/cli/registry.ts')).defineClock,
  fixity: async () => (await import('#src/cli/work.ts')).defineFixity,
  reindex: async () => (await import('#src/cli/registry.ts')).defineReindex,
  import: async () => (await import('#src/cli/import.ts')).defineImport,
  migrate: async () => (await import('#src/cli/import.ts')).defineMigrate,
  evidence: async () => (await import('#src/cli/evidence.ts')).defineEvidence,
  verify: async () => (await import('#src/cli/verify.ts')).defineVerify,
  work: async () => (await import('#src/cli/work.ts')).defineWork,
  audit: async () => (await import('#src/cli/audit.ts')).defineAudit,
  doctor: async () => (await import('#src/cli/doctor.ts')).defineDoctor,
  backup: async () => (await import('#src/cli/backup.ts')).defineBackup,
  restore: async () => (await import('#src/cli/restore.ts')).defineRestore,
  monitor: async () => (await import('#src/cli/monitor.ts')).defineMonitor,
  mirror: async () => (await import('#src/cli/mirror.ts')).defineMirror,
  witness: async () => (await import('#src/cli/witness.ts')).defineWitness,
  cluster: async () => (await import('#src/cli/cluster.ts')).defineCluster,
  oai: async () => (await import('#src/cli/serve.ts')).defineOai,
}

/** Adds the command of this name to the program; all of them if there is no such command. */
export async function addCommands(program: Command, name: string): Promise<void> {
  const asked = Object.hasOwn(definitions, name) ? [definitions[name]] : Object.values(definitions)
  for (const load of asked) (await load?.())?.(program)
}

/** Runs the command that `argv` (with node and the script) asks for; gives the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = createProgram()
  const [, , name = ''] = argv
  await addCommands(program, name)
  return runProgram(program, argv)
}
