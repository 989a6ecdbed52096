import { defineMessage } from '#engines/message/model.ts'

/** What the receiver of a parcel is told once the carrier has it: a sending that is taken back before that is told to nobody. */
export const parcelSent = defineMessage({
  code: 'PARCEL-SENT',
  channel: 'SMS',
  kind: 'NOTICE',
  title: '发货通知',
  body: '您的{goods}已发出，快递单号 {trackingNo}，请留意查收。如有疑问请联系您的课程顾问。',
  holes: {
    goods: { kind: 'TEXT', sample: '年度会员套装' },
    trackingNo: { kind: 'TEXT', sample: 'SF1234567890123' },
  },
})
