import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
  workUsed: 'Quanto este trabalho é usado',
  theseWorksUsed: 'Quanto estes trabalhos são usados',
  allWorksUsed: 'Quanto os trabalhos são usados',
  notUsed: 'Nem resolvido nem lido de {$from} a {$to}. Robôs não são contados.',
  used: `.input {$count :integer} .match $count
    one {{Resolvido ou lido {#strong}{$count}{/strong} vez de {$from} a {$to}. O último mês ainda não terminou. Robôs não são contados.}}
    * {{Resolvido ou lido {#strong}{$count}{/strong} vezes de {$from} a {$to}. O último mês ainda não terminou. Robôs não são contados.}}`,
  uses: 'Usos',
  asCsv: 'Em CSV',
  table: 'Todos os números em uma tabela',
  howCounted: 'Como contamos',
  byMonth: 'Usos por mês',
  month: 'Mês',
  soFar: '{$month}, até agora',
  resolved: 'Resoluções',
  pageRead: 'Leituras da página',
  verified: 'Verificações',
  harvested: 'Coletas',
  bars: '{$what} de {$from} a {$to}. Máximo: {$most} em {$when}.',
  bar: '{$label}: {$count :integer}',
  tree: 'Uma árvore de hashes. A partir de um recibo, três hashes vizinhos levam ao hash raiz, que o log assina.',
  rootLabel: 'hash raiz, assinado pelo log',
  receiptLabel: 'um recibo',
  computed: 'calculado a partir do recibo',
  proof: 'a prova, que vem com o recibo',
  notNeeded: 'não é necessário',
}
