import { defineMessage } from '#engines/message/model.ts'

/** What whoever follows leads is told when the time comes that was agreed for the next word: nobody's number stays in it. */
export const contactDue = defineMessage({
  code: 'LEADS-CONTACT-DUE',
  channel: 'WEB',
  kind: 'NOTICE',
  title: '约定的联系时间到了',
  body: '有 {count} 条线索到了约定的联系时间（最早 {at}），请按“下次联系”查看并联系。',
  holes: {
    count: { kind: 'NUMBER', sample: '1' },
    at: { kind: 'INSTANT', sample: '2026-11-16 10:00' },
  },
})
