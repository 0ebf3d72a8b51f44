import type { standing as english } from '#src/words/en/standing.ts'
import type { Translation } from '#src/words/message.ts'

export const standing: Translation<typeof english> = {
  verified: '内容未变',
  pending: '内容尚未核对',
  failed: '内容已变',
  unreachable: '内容未能确认',
  landingPage: '着陆页',
  active: '已登记',
  withdrawn: '已撤回',
  all: '全部',
  retraction: '已撤稿',
  partial_retraction: '部分撤稿',
  removal: '已移除',
  withdrawal: '已由出版者撤回',
  expression_of_concern: '关注声明',
  correction: '已更正',
  corrigendum: '已更正',
  erratum: '已更正',
  addendum: '补遗',
  clarification: '已澄清',
  new_edition: '新版次',
  new_version: '新版本',
  noticeOf: `.input {$kind :string} .match $kind
    retraction {{{#strong}此作品已撤稿{/strong}{$when}{$who}。}}
    partial_retraction {{{#strong}此作品的一部分已撤稿{/strong}{$when}{$who}。}}
    removal {{{#strong}此作品的内容已移除{/strong}{$when}{$who}。}}
    withdrawal {{{#strong}出版者已撤回此作品{/strong}{$when}{$who}。}}
    expression_of_concern {{{#strong}此作品受到关注声明质疑{/strong}{$when}{$who}。}}
    addendum {{{#strong}此作品有补遗{/strong}{$when}{$who}。}}
    clarification {{{#strong}此作品已澄清{/strong}{$when}{$who}。}}
    new_edition {{{#strong}此作品有新版次{/strong}{$when}{$who}。}}
    new_version {{{#strong}此作品有新版本{/strong}{$when}{$who}。}}
    * {{{#strong}此作品已更正{/strong}{$when}{$who}。}}`,
  whenNoticed: '（{$date}）',
  whoNoticed: '（{$name}）',
  notice: '声明：{$link}。',
  noticeBy: `.input {$kind :string} .match $kind
    retraction {{此作品是{#strong}撤稿声明{/strong}，针对 {$other}{$when}。}}
    partial_retraction {{此作品是{#strong}部分撤稿声明{/strong}，针对 {$other}{$when}。}}
    removal {{此作品是{#strong}移除声明{/strong}，针对 {$other}{$when}。}}
    withdrawal {{此作品是{#strong}撤回声明{/strong}，针对 {$other}{$when}。}}
    expression_of_concern {{此作品是{#strong}关注声明{/strong}，针对 {$other}{$when}。}}
    addendum {{此作品是{#strong}补遗{/strong}，针对 {$other}{$when}。}}
    clarification {{此作品是{#strong}澄清声明{/strong}，针对 {$other}{$when}。}}
    new_edition {{此作品是{#strong}新版次{/strong}，原作品为 {$other}{$when}。}}
    new_version {{此作品是{#strong}新版本{/strong}，原作品为 {$other}{$when}。}}
    * {{此作品是{#strong}更正声明{/strong}，针对 {$other}{$when}。}}`,
  because_author_request: '原因：作者要求',
  because_retraction: '原因：已撤稿。请勿依据其结论',
  because_duplicate: '原因：已在别处登记',
  because_copyright: '原因：他人拥有其权利',
  because_fraud: '原因：造假',
  because_court_order: '原因：法院命令',
  because_rights_of_others: '原因：他人拥有其权利',
  because_personal_data: '原因：含有个人数据',
  because_legal: '原因：法律原因',
  because_test: '原因：这是一次测试',
  because_other: '原因：其他',
  because_data_lost: '原因：登记库丢失了其记录',
}
