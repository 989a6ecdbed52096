import { defineMessage } from '#engines/message/model.ts'

/** To whoever led somebody whose chat contacts were handed on: these did not go along. */
export const contactsStayed = defineMessage({
  code: 'CONTACTS-STAYED',
  channel: 'WEB',
  kind: 'NOTICE',
  title: '客户未能转接',
  body: '{name} 有 {count} 位企业微信客户未转给 {to}（{why}），请在员工详情的“企微客户”中查看并安排跟进。',
  holes: {
    name: { kind: 'TEXT', sample: '赵离' },
    count: { kind: 'NUMBER', sample: '3' },
    to: { kind: 'TEXT', sample: '钱接' },
    why: { kind: 'TEXT', sample: '客户拒绝 2，接替成员客户达到上限 1' },
  },
})

/** Why a contact did not go along. */
export const WHY_STAYED = {
  REFUSED: '客户拒绝',
  FULL: '接替成员客户达到上限',
  NO_RECORD: '无接替记录',
  PROTECTED: '转接过于频繁，受平台保护',
  REJECTED: '平台不接受',
  HELD: '接替人已离职',
} as const
