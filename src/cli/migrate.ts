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
  addCommand(program, 'migrate', 'register or update all records of a dump; resumes like import')
    .argument('<dump>', 'a dump: a tar archive, a folder or a JSON file, compressed or not')
    .addOption(
      new Option('--from <agency>', 'agency that the dump is from')
        .choices(agencies)
        .makeOptionMandatory(),
    )
    .option('--names <file>', 'JSON file with the organizations of clients, members or prefixes')
    .option('--owner <owner>', 'owner of works for which --names has no organization', 'operator')
    .addOption(environmentOption('environment to write to'))
    .option(
      '--allow-duplicate',
      'also register works whose DOIs others have, or that are withdrawn',
      false,
    )
    .option('--restart', 'start from the first line, not where an earlier run stopped', false)
    .option('--new', 'create a registry if DATA_DIR has none', false)
    .option('--report <file>', 'write a report on all fields, with examples, to a file')
    .option('--dry-run', 'check everything and show what would be done, but write nothing', false)
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
