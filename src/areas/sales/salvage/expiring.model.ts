import { defineMessage } from '#engines/message/model.ts'

/** What whoever follows leads is told before some of them go back to the pool by themselves. */
export const expiring = defineMessage({
  code: 'LEADS-EXPIRING',
  channel: 'WEB',
  kind: 'NOTICE',
  title: '线索即将回收',
  body: '你有 {count} 条线索将在 {days} 天内因超时未跟进回到公海，请尽快联系。',
  holes: { count: { kind: 'NUMBER', sample: '3' }, days: { kind: 'NUMBER', sample: '1' } },
})
