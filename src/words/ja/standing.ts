import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: '内容に変更なし',
  pending: '内容は未点検',
  failed: '内容に変更あり',
  unreachable: '内容は未確認',
  landingPage: 'ランディングページ',
  active: '登録済み',
  withdrawn: '取り下げ',
  all: 'すべて',
  retraction: '撤回',
  partial_retraction: '一部撤回',
  removal: '削除',
  withdrawal: '出版者による取り下げ',
  expression_of_concern: '懸念の表明',
  correction: '訂正',
  corrigendum: '訂正',
  erratum: '訂正',
  addendum: '補遺',
  clarification: '補足説明',
  new_edition: '新版',
  new_version: '新しい版',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}この研究成果は撤回されました{/strong}{$when}{$who}。}}
    partial_retraction {{{#strong}この研究成果の一部は撤回されました{/strong}{$when}{$who}。}}
    removal {{{#strong}この研究成果の内容は削除されました{/strong}{$when}{$who}。}}
    withdrawal {{{#strong}出版者がこの研究成果を取り下げました{/strong}{$when}{$who}。}}
    expression_of_concern {{{#strong}この研究成果には懸念が表明されています{/strong}{$when}{$who}。}}
    addendum {{{#strong}この研究成果には補遺があります{/strong}{$when}{$who}。}}
    clarification {{{#strong}この研究成果には補足説明があります{/strong}{$when}{$who}。}}
    new_edition {{{#strong}この研究成果には新版があります{/strong}{$when}{$who}。}}
    new_version {{{#strong}この研究成果には新しい版があります{/strong}{$when}{$who}。}}
    * {{{#strong}この研究成果は訂正されました{/strong}{$when}{$who}。}}`,
  whenNoticed: '（{$date}）',
  whoNoticed: '（{$name}）',
  notice: '通知：{$link}。',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{この研究成果は{$other}の{#strong}撤回通知{/strong}です{$when}。}}
    partial_retraction {{この研究成果は{$other}の{#strong}一部撤回の通知{/strong}です{$when}。}}
    removal {{この研究成果は{$other}の{#strong}削除通知{/strong}です{$when}。}}
    withdrawal {{この研究成果は{$other}の{#strong}取り下げの通知{/strong}です{$when}。}}
    expression_of_concern {{この研究成果は{$other}への{#strong}懸念の表明{/strong}です{$when}。}}
    addendum {{この研究成果は{$other}の{#strong}補遺{/strong}です{$when}。}}
    clarification {{この研究成果は{$other}の{#strong}補足説明{/strong}です{$when}。}}
    new_edition {{この研究成果は{$other}の{#strong}新版{/strong}です{$when}。}}
    new_version {{この研究成果は{$other}の{#strong}新しい版{/strong}です{$when}。}}
    * {{この研究成果は{$other}の{#strong}訂正{/strong}です{$when}。}}`,
  because_author_request: '理由：著者の申し出',
  because_retraction: '理由：撤回。その結果に依拠しないでください',
  because_duplicate: '理由：ほかにも登録がある',
  because_copyright: '理由：他者が権利を持っている',
  because_fraud: '理由：不正',
  because_court_order: '理由：裁判所の命令',
  because_rights_of_others: '理由：他者が権利を持っている',
  because_personal_data: '理由：個人データを含む',
  because_legal: '理由：法的な事情',
  because_test: '理由：テストだった',
  because_other: '理由：その他',
  because_data_lost: '理由：レジストリがレコードを失った',
}
