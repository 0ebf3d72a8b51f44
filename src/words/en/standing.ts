import { messages } from '#src/words/message.ts'

/** What a work stands like: its content, its notices, why it was withdrawn. */
export const standing = messages('standing', {
  verified: 'Content unchanged',
  pending: 'Content not checked yet',
  failed: 'Content changed',
  unreachable: 'Content not confirmed',
  landingPage: 'Landing page',
  active: 'Registered',
  withdrawn: 'Withdrawn',
  all: 'All',

  // Badges of notices (NISO RP-45).
  retraction: 'Retracted',
  partial_retraction: 'Partly retracted',
  removal: 'Removed',
  withdrawal: 'Withdrawn by its publisher',
  expression_of_concern: 'Expression of concern',
  correction: 'Corrected',
  corrigendum: 'Corrected',
  erratum: 'Corrected',
  addendum: 'Addendum',
  clarification: 'Clarified',
  new_edition: 'New edition',
  new_version: 'New version',

  // Sentences about a work that has a notice, the last for corrections. `when` is empty or such as ` on 3 Mar 2026`, `who` is
  // empty or such as ` by the journal`.
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}This work was retracted{/strong}{$when}{$who}.}}
    partial_retraction {{{#strong}A part of this work was retracted{/strong}{$when}{$who}.}}
    removal {{{#strong}The content of this work was removed{/strong}{$when}{$who}.}}
    withdrawal {{{#strong}The publisher withdrew this work{/strong}{$when}{$who}.}}
    expression_of_concern {{{#strong}There are concerns about this work{/strong}{$when}{$who}.}}
    addendum {{{#strong}This work has an addendum{/strong}{$when}{$who}.}}
    clarification {{{#strong}This work was clarified{/strong}{$when}{$who}.}}
    new_edition {{{#strong}This work has a new edition{/strong}{$when}{$who}.}}
    new_version {{{#strong}This work has a new version{/strong}{$when}{$who}.}}
    * {{{#strong}This work was corrected{/strong}{$when}{$who}.}}`,
  whenNoticed: ' on {$date}',
  whoNoticed: ' by {$name}',
  // Leads to the notice, by its DOI or ARK.
  notice: 'Notice: {$link}.',

  // Sentences about a work that is itself a notice about another work.
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{This work {#strong}retracts{/strong} {$other}{$when}.}}
    partial_retraction {{This work {#strong}retracts a part of{/strong} {$other}{$when}.}}
    removal {{This work {#strong}removes{/strong} {$other}{$when}.}}
    withdrawal {{This work {#strong}withdraws{/strong} {$other}{$when}.}}
    expression_of_concern {{This work {#strong}expresses concern about{/strong} {$other}{$when}.}}
    addendum {{This work {#strong}adds to{/strong} {$other}{$when}.}}
    clarification {{This work {#strong}clarifies{/strong} {$other}{$when}.}}
    new_edition {{This work {#strong}is a new edition of{/strong} {$other}{$when}.}}
    new_version {{This work {#strong}is a new version of{/strong} {$other}{$when}.}}
    * {{This work {#strong}corrects{/strong} {$other}{$when}.}}`,

  // Why a work was withdrawn: each ends a sentence such as `This work was withdrawn on 3 Mar 2026, `.
  because_author_request: 'because its authors asked for it',
  because_retraction: 'because it was retracted. Do not rely on its findings',
  because_duplicate: 'because it is also registered elsewhere',
  because_copyright: 'because others hold rights in it',
  because_fraud: 'because of fraud',
  because_court_order: 'because of a court order',
  because_rights_of_others: 'because others hold rights in it',
  because_personal_data: 'because it contains personal data',
  because_legal: 'for legal reasons',
  because_test: 'because it was a test',
  because_other: 'for another reason',
  because_data_lost: 'because the registry has lost its record',
})
