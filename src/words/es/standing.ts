import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: 'Contenido sin cambios',
  pending: 'Contenido aún no comprobado',
  failed: 'Contenido modificado',
  unreachable: 'Contenido no confirmado',
  landingPage: 'Página de destino',
  active: 'Registrada',
  withdrawn: 'Retirada',
  all: 'Todas',
  retraction: 'Retractada',
  partial_retraction: 'Retractada en parte',
  removal: 'Eliminada',
  withdrawal: 'Retirada por su editorial',
  expression_of_concern: 'Expresión de preocupación',
  correction: 'Corregida',
  corrigendum: 'Corregida',
  erratum: 'Corregida',
  addendum: 'Adenda',
  clarification: 'Aclarada',
  new_edition: 'Edición nueva',
  new_version: 'Versión nueva',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}Esta obra fue retractada{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}Una parte de esta obra fue retractada{/strong}{$when}{$who}.}}
    removal {{{#strong}El contenido de esta obra fue eliminado{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}Por decisión de la editorial, esta obra fue retirada{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}Esta obra fue objeto de una expresión de preocupación{/strong}{$when}{$who}.}}
    addendum {{{#strong}Esta obra fue completada con una adenda{/strong}{$when}{$who}.}}
    clarification {{{#strong}Esta obra fue aclarada{/strong}{$when}{$who}.}}
    new_edition {{{#strong}Una edición nueva de esta obra fue publicada{/strong}{$when}{$who}.}}
    new_version {{{#strong}Una versión nueva de esta obra fue publicada{/strong}{$when}{$who}.}}
    * {{{#strong}Esta obra fue corregida{/strong}{$when}{$who}.}}`,
  whenNoticed: ' el {$date}',
  whoNoticed: ' por {$name}',
  notice: 'Aviso: {$link}.',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{Esta obra {#strong}retracta{/strong} {$other}{$when}.}}
    partial_retraction {{Esta obra {#strong}retracta una parte de{/strong} {$other}{$when}.}}
    removal {{Esta obra {#strong}elimina{/strong} {$other}{$when}.}}
    withdrawal {{Esta obra {#strong}retira{/strong} {$other}{$when}.}}
    expression_of_concern {{Esta obra {#strong}expresa preocupación por{/strong} {$other}{$when}.}}
    addendum {{Esta obra {#strong}complementa{/strong} {$other}{$when}.}}
    clarification {{Esta obra {#strong}aclara{/strong} {$other}{$when}.}}
    new_edition {{Esta obra se publicó{$when} como {#strong}edición nueva de{/strong} {$other}.}}
    new_version {{Esta obra se publicó{$when} como {#strong}versión nueva de{/strong} {$other}.}}
    * {{Esta obra {#strong}corrige{/strong} {$other}{$when}.}}`,
  because_author_request: 'a petición de sus autores',
  because_retraction: 'porque fue retractada. No se base en sus resultados',
  because_duplicate: 'porque también está registrada en otro lugar',
  because_copyright: 'porque otros tienen derechos sobre ella',
  because_fraud: 'por fraude',
  because_court_order: 'por orden judicial',
  because_rights_of_others: 'porque otros tienen derechos sobre ella',
  because_personal_data: 'porque contiene datos personales',
  because_legal: 'por motivos legales',
  because_test: 'porque era una prueba',
  because_other: 'por otro motivo',
  because_data_lost: 'porque el registro ha perdido sus datos',
}
