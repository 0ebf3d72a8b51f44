import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: 'Contenu inchangé',
  pending: 'Contenu pas encore contrôlé',
  failed: 'Contenu modifié',
  unreachable: 'Contenu non confirmé',
  landingPage: 'Page de présentation',
  active: 'Enregistré',
  withdrawn: 'Retiré',
  all: 'Tous',
  retraction: 'Rétracté',
  partial_retraction: 'Partiellement rétracté',
  removal: 'Supprimé',
  withdrawal: 'Retiré par son éditeur',
  expression_of_concern: 'Mise en garde',
  correction: 'Corrigé',
  corrigendum: 'Corrigé',
  erratum: 'Corrigé',
  addendum: 'Addendum',
  clarification: 'Clarifié',
  new_edition: 'Nouvelle édition',
  new_version: 'Nouvelle version',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}Ce travail a été rétracté{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}Une partie de ce travail a été rétractée{/strong}{$when}{$who}.}}
    removal {{{#strong}Le contenu de ce travail a été supprimé{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}L’éditeur a retiré ce travail{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}Ce travail fait l’objet d’une mise en garde{/strong}{$when}{$who}.}}
    addendum {{{#strong}Ce travail a un addendum{/strong}{$when}{$who}.}}
    clarification {{{#strong}Ce travail a été clarifié{/strong}{$when}{$who}.}}
    new_edition {{{#strong}Ce travail a une nouvelle édition{/strong}{$when}{$who}.}}
    new_version {{{#strong}Ce travail a une nouvelle version{/strong}{$when}{$who}.}}
    * {{{#strong}Ce travail a été corrigé{/strong}{$when}{$who}.}}`,
  whenNoticed: ' le {$date}',
  whoNoticed: ' par {$name}',
  notice: 'Avis\u00a0: {$link}.',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{Ce travail {#strong}rétracte{/strong} {$other}{$when}.}}
    partial_retraction {{Ce travail {#strong}rétracte une partie de{/strong} {$other}{$when}.}}
    removal {{Ce travail {#strong}supprime{/strong} {$other}{$when}.}}
    withdrawal {{Ce travail {#strong}retire{/strong} {$other}{$when}.}}
    expression_of_concern {{Ce travail {#strong}met en garde contre{/strong} {$other}{$when}.}}
    addendum {{Ce travail {#strong}complète{/strong} {$other}{$when}.}}
    clarification {{Ce travail {#strong}clarifie{/strong} {$other}{$when}.}}
    new_edition {{Ce travail {#strong}est une nouvelle édition de{/strong} {$other}{$when}.}}
    new_version {{Ce travail {#strong}est une nouvelle version de{/strong} {$other}{$when}.}}
    * {{Ce travail {#strong}corrige{/strong} {$other}{$when}.}}`,
  because_author_request: 'à la demande de ses auteurs',
  because_retraction: 'parce qu’il a été rétracté. Ne vous fiez pas à ses résultats',
  because_duplicate: 'parce qu’il est aussi enregistré ailleurs',
  because_copyright: 'parce que d’autres détiennent des droits sur lui',
  because_fraud: 'pour fraude',
  because_court_order: 'sur décision de justice',
  because_rights_of_others: 'parce que d’autres détiennent des droits sur lui',
  because_personal_data: 'parce qu’il contient des données personnelles',
  because_legal: 'pour des raisons juridiques',
  because_test: 'parce que c’était un test',
  because_other: 'pour une autre raison',
  because_data_lost: 'parce que le registre a perdu sa notice',
}
