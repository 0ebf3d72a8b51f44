import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
  workUsed: 'Cuánto se usa esta obra',
  theseWorksUsed: 'Cuánto se usan estas obras',
  allWorksUsed: 'Cuánto se usan las obras',
  notUsed: 'Ni resuelta ni leída de {$from} a {$to}. Los robots no se cuentan.',
  used: `.input {$count :integer} .match $count
    one {{Resuelta o leída {#strong}{$count}{/strong} vez de {$from} a {$to}. El último mes aún no ha terminado. Los robots no se cuentan.}}
    * {{Resuelta o leída {#strong}{$count}{/strong} veces de {$from} a {$to}. El último mes aún no ha terminado. Los robots no se cuentan.}}`,
  uses: 'Usos',
  asCsv: 'En CSV',
  table: 'Todas las cifras en una tabla',
  howCounted: 'Cómo contamos',
  byMonth: 'Usos por mes',
  month: 'Mes',
  soFar: '{$month}, hasta ahora',
  resolved: 'Resuelta',
  pageRead: 'Página leída',
  verified: 'Verificada',
  harvested: 'Recolectada',
  bars: '{$what} de {$from} a {$to}. Máximo: {$most} en {$when}.',
  bar: '{$label}: {$count :integer}',
  tree: 'Un árbol de hashes. Desde un comprobante, tres hashes vecinos llevan al hash raíz, que el log firma.',
  rootLabel: 'hash raíz, firmado por el log',
  receiptLabel: 'un comprobante',
  computed: 'calculado a partir del comprobante',
  proof: 'la prueba, que viene con el comprobante',
  notNeeded: 'no hace falta',
}
