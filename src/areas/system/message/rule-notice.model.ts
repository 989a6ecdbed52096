import { defineMessage } from '#engines/message/model.ts'

/** What a rule chain tells a colleague of a record. */
export const ruleNotice = defineMessage({
  code: 'RULE-NOTICE',
  channel: 'WEB',
  kind: 'NOTICE',
  title: '规则链提醒',
  body: '{text}（单号 {no}）',
  holes: {
    text: { kind: 'TEXT', sample: '新学员交了第一份作品，请尽快点评' },
    no: { kind: 'TEXT', sample: 'ZP202611150001' },
  },
})
