import { defineMessage } from '#engines/message/model.ts'

/** What whoever asked for something is told by mail: that it was decided, and nothing of the record, which stands behind a sign-in. */
export const requestDecided = defineMessage({
  code: 'REQUEST-DECIDED',
  channel: 'EMAIL',
  kind: 'NOTICE',
  title: '您提交的{what}有结果了',
  body: '您好：\n\n您提交的{what}已有结果：{state}。\n请登录控制台，在工作台查看详情。\n\n这封邮件由系统自动发送，可在“个人设置 - 消息通知”中关闭。',
  holes: {
    what: { kind: 'TEXT', sample: '退款申请' },
    state: { kind: 'TEXT', sample: '已同意' },
  },
})
