import { type Command, Option } from 'commander'

import { importSource, type ImportOptions } from '#src/cli/import.ts'
import { addCommand, environmentOption } from '#src/cli/program.ts'
import { readRegistrantNames } from '#src/cli/registrant_names.ts'
import { agencies, type Agency } from '#src/discovery/citation_files/record_line.ts'

type MigrateOptions = Pick<
  ImportOptions,
  'json' | 'owner' | 'environment' | 'allowDuplicate' | 'restart' | 'new' | 'dryRun' | 'report'
> & { readonly from: Agency; readonly names?: string }

/** Adds `migrate`, which is an import of a dump for the organizations whose records it has. */
export function defineMigrate(program: Command): void {
  addCommand(program, 'migrate', 'register or update all records of a dump; goes on like import')
    .argument('<dump>', 'a dump: a tar archive, a folder, or a file of JSON, plain or packed')
    .addOption(
      new Option('--from <agency>', 'whose dump it is').choices(agencies).makeOptionMandatory(),
    )
    .option('--names <file>', 'the organizations of clients, members or prefixes: JSON')
    .option('--owner <owner>', 'who registers what --names has no organization for', 'operator')
    .addOption(environmentOption('the registry to write to'))
    .option('--allow-duplicate', 'register works whose DOIs others have, or that ended', false)
    .option('--restart', 'forget how far an earlier run came and begin with the first line', false)
    .option('--new', 'make a new registry if DATA_DIR holds none', false)
    .option('--report <file>', 'write what became of all fields, with examples, to a file')
    .option('--dry-run', 'look at everything, tell what would be done, and write nothing', false)
    .action(migrate)
}

async function migrate(dump: string, options: MigrateOptions): Promise<void> {
  const { from, names, ...shared } = options
  await importSource(dump, {
    ...shared,
    update: true,
    strict: false,
    column: {},
    migration: { from, names: names === undefined ? new Map() : await readRegistrantNames(names) },
  })
}
