import { defineMessage } from '#engines/message/model.ts'

/** What somebody is told whose second factor was reset: that it was, by whom, and what to do if nobody asked for it. */
export const factorReset = defineMessage({
  code: 'FACTOR-RESET',
  channel: 'WEB',
  kind: 'NOTICE',
  title: '您的二次验证已被重置',
  body: '{by} 于 {at} 重置了您的二次验证，原来的验证器应用和恢复码已失效。如果不是您要求的，请立即修改密码并联系管理员。',
  holes: {
    by: { kind: 'TEXT', sample: '张敏' },
    at: { kind: 'INSTANT', sample: '2026-11-17 09:30' },
  },
})
