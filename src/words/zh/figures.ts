import type { figures as english } from '#src/words/en/figures.ts'
import type { Translation } from '#src/words/message.ts'

export const figures: Translation<typeof english> = {
  workUsed: '此作品的使用次数',
  theseWorksUsed: '这些作品的使用次数',
  allWorksUsed: '作品的使用次数',
  notUsed: '从 {$from} 到 {$to} 未被解析或阅读。机器人访问不计入。',
  used: '从 {$from} 到 {$to} 被解析或阅读 {#strong}{$count :integer}{/strong} 次。最后一个月尚未结束。机器人访问不计入。',
  uses: '使用次数',
  asCsv: 'CSV 格式',
  table: '以表格显示全部计数',
  howCounted: '我们如何计数',
  byMonth: '每月使用次数',
  month: '月份',
  soFar: '{$month}（截至目前）',
  resolved: '解析',
  pageRead: '页面阅读',
  verified: '验证',
  harvested: '收割',
  bars: '从 {$from} 到 {$to} 的{$what}。最高值：{$when} 的 {$most}。',
  bar: '{$label}：{$count :integer}',
  tree: '一棵哈希树。从一份回执出发，经过三个相邻的哈希值，即可得到由日志签名的根哈希。',
  rootLabel: '根哈希，由日志签名',
  receiptLabel: '一份回执',
  computed: '由回执计算得出',
  proof: '证明，随回执提供',
  notNeeded: '不需要',
}
