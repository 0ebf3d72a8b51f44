import type { errors as english } from '#src/words/en/errors.ts'
import type { Translation } from '#src/words/message.ts'

export const errors: Translation<typeof english> = {
  not_found: '找不到此页面',
  not_acceptable: '不提供此格式',
  forbidden: '您不能执行此操作',
  suspended: '此账户已停用',
  gone: '此内容已失效',
  conflict: '与当前状态冲突',
  rate_limit_exceeded: '尝试次数过多',
  withheld: '此作品暂不公开',
  payload_too_large: '内容过大',
  unavailable: '登记库繁忙',
  timeout: '处理时间过长',
  clock_wrong: '目前无法进行更改',
  internal_error: '出错了',
  record_damaged: '无法读取此记录',
  other: '我们无法理解此请求',
  nothingHere: '此网址没有任何内容。请检查网址是否输入有误。',
  tryLater: '请稍后再试。',
  failed: '这是我们的错误，我们已将其记录。请稍后再试。',
  noChanges: '登记库的时钟有误，因此无法进行任何更改。您仍可阅读全部内容。',
  waitSeconds: '请在 {$seconds :integer} 秒后重试。',
  waitMinutes: '请在 {$minutes :integer} 分钟后重试。',
  report: '如果此问题持续出现，请联系本登记库的运营者，并告知错误 {$status} 和请求 {$request}。',
  goTo: '前往 {$ark}',
  searchInstead: '改为检索登记库',
}
