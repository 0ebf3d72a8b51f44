import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: 'Conteúdo inalterado',
  pending: 'Conteúdo ainda não verificado',
  failed: 'Conteúdo alterado',
  unreachable: 'Conteúdo não confirmado',
  landingPage: 'Página de destino',
  active: 'Registrado',
  withdrawn: 'Retirado',
  all: 'Todos',
  retraction: 'Retratado',
  partial_retraction: 'Parcialmente retratado',
  removal: 'Removido',
  withdrawal: 'Retirado pela editora',
  expression_of_concern: 'Manifestação de preocupação',
  correction: 'Corrigido',
  corrigendum: 'Corrigido',
  erratum: 'Corrigido',
  addendum: 'Adendo',
  clarification: 'Esclarecido',
  new_edition: 'Nova edição',
  new_version: 'Nova versão',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}Este trabalho foi retratado{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}Uma parte deste trabalho foi retratada{/strong}{$when}{$who}.}}
    removal {{{#strong}O conteúdo deste trabalho foi removido{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}A editora retirou este trabalho{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}Há preocupações sobre este trabalho{/strong}{$when}{$who}.}}
    addendum {{{#strong}Este trabalho tem um adendo{/strong}{$when}{$who}.}}
    clarification {{{#strong}Este trabalho foi esclarecido{/strong}{$when}{$who}.}}
    new_edition {{{#strong}Este trabalho tem uma nova edição{/strong}{$when}{$who}.}}
    new_version {{{#strong}Este trabalho tem uma nova versão{/strong}{$when}{$who}.}}
    * {{{#strong}Este trabalho foi corrigido{/strong}{$when}{$who}.}}`,
  whenNoticed: ' em {$date}',
  whoNoticed: ' por {$name}',
  notice: 'Aviso: {$link}.',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{Este trabalho {#strong}retrata{/strong} {$other}{$when}.}}
    partial_retraction {{Este trabalho {#strong}retrata uma parte de{/strong} {$other}{$when}.}}
    removal {{Este trabalho {#strong}remove{/strong} {$other}{$when}.}}
    withdrawal {{Este trabalho {#strong}retira{/strong} {$other}{$when}.}}
    expression_of_concern {{Este trabalho {#strong}manifesta preocupação sobre{/strong} {$other}{$when}.}}
    addendum {{Este trabalho {#strong}complementa{/strong} {$other}{$when}.}}
    clarification {{Este trabalho {#strong}esclarece{/strong} {$other}{$when}.}}
    new_edition {{Este trabalho {#strong}é uma nova edição de{/strong} {$other}{$when}.}}
    new_version {{Este trabalho {#strong}é uma nova versão de{/strong} {$other}{$when}.}}
    * {{Este trabalho {#strong}corrige{/strong} {$other}{$when}.}}`,
  because_author_request: 'a pedido dos autores',
  because_retraction: 'porque foi retratado. Não se baseie nas suas conclusões',
  because_duplicate: 'porque também está registrado em outro lugar',
  because_copyright: 'porque outros têm direitos sobre ele',
  because_fraud: 'por fraude',
  because_court_order: 'por ordem judicial',
  because_rights_of_others: 'porque outros têm direitos sobre ele',
  because_personal_data: 'porque contém dados pessoais',
  because_legal: 'por razões jurídicas',
  because_test: 'porque era um teste',
  because_other: 'por outra razão',
  because_data_lost: 'porque o registro perdeu os seus dados',
}
