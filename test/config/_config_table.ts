import type { ConfigKey } from '#config/settings.ts'

/** A table of configuration keys, in Markdown: one row a key, in the order of the schema. */
export function renderConfigTable(keys: readonly ConfigKey[]): string {
  return [
    '| key | meaning | limits | default |',
    '|---|---|---|---|',
    ...keys.map((key) => {
      const { name, description, accepts } = key
      return `| \`${name}\` | ${cell(description)} | ${cell(accepts)} | ${formatDefault(key)} |`
    }),
  ].join('\n')
}

function formatDefault({ default: value, unit }: ConfigKey): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `\`${text}\`${typeof value === 'number' && unit !== '' ? ` ${unit}` : ''}`
}

/** Text for a table cell: a bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
