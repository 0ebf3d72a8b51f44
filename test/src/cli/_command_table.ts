import type { Command, Option } from 'commander'

/** A table of commands in Markdown: one row for each that does something, in their order. */
export function renderCommandTable(program: Command): string {
  const rows = program.commands.flatMap((command) => rowsOf(command, ''))
  return ['| command | what it does | options |', '|---|---|---|', ...rows].join('\n')
}

function rowsOf(command: Command, parents: string): readonly string[] {
  const name = `${parents}${command.name()}`
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => rowsOf(child, `${name} `))
  }
  const values = command.registeredArguments.map((argument) => {
    const shown = argument.name() + (argument.variadic ? '…' : '')
    return argument.required ? `<${shown}>` : `[${shown}]`
  })
  const options = command.options.filter(isItsOwn).map(({ flags }) => `\`${flags}\``)
  const cells = [`\`${[name, ...values].join(' ')}\``, command.description(), options.join(', ')]
  return [`| ${cells.map(cell).join(' | ')} |`]
}

// Every command has this one.
function isItsOwn({ long }: Option): boolean {
  return long !== '--json'
}

/** Text for a table cell: a bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
