import { defineMessage } from '#engines/message/model.ts'
import { CODE_MINUTES } from './partner-page/link.model.ts'

const STATEMENT = {
  company: { kind: 'TEXT', sample: '杭州墨云软件有限公司' },
  month: { kind: 'TEXT', sample: '2026-10' },
  no: { kind: 'TEXT', sample: 'C202610-0001' },
  total: { kind: 'MONEY', sample: '¥1,280.00' },
  until: { kind: 'INSTANT', sample: '2026-12-02 18:00' },
  link: { kind: 'TEXT', sample: 'https://example.com/p/1-abc' },
} as const

/** What a partner's contact is sent when a month is settled. */
export const statementByMail = defineMessage({
  code: 'STATEMENT-LINK-MAIL',
  channel: 'EMAIL',
  kind: 'NOTICE',
  title: '{month} 结算单 {no} 请确认',
  body: '{company}：\n\n{month} 的结算单 {no} 已出，应付 {total}。请在 {until} 前打开下面的链接核对明细并确认：\n\n{link}\n\n确认时需要验证码，会发到贵方登记的手机。链接仅供贵方查看，请勿转发。',
  holes: STATEMENT,
})

export const statementByText = defineMessage({
  code: 'STATEMENT-LINK-SMS',
  channel: 'SMS',
  kind: 'NOTICE',
  title: '结算单确认',
  body: '{company}：{month} 结算单 {no} 应付 {total}，请在 {until} 前打开 {link} 核对并确认，请勿转发。',
  holes: STATEMENT,
})

/** What the partner's word is known by. */
export const statementCode = defineMessage({
  code: 'STATEMENT-CODE',
  channel: 'SMS',
  kind: 'CODE',
  title: '结算单确认验证码',
  body: `验证码 {code}，用于确认结算单 {no}，应付 {total}，${CODE_MINUTES} 分钟内有效。非本人操作请勿告诉他人。`,
  holes: {
    code: { kind: 'TEXT', sample: '408215' },
    no: { kind: 'TEXT', sample: 'C202610-0001' },
    total: { kind: 'MONEY', sample: '¥1,280.00' },
  },
})
