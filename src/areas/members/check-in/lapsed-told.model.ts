import { defineMessage } from '#engines/message/model.ts'

/** What a teacher is told of a pupil who has stopped coming. */
export const lapsedTold = defineMessage({
  code: 'CHECK-IN-LAPSED',
  channel: 'WEB',
  kind: 'NOTICE',
  title: '学员断签提醒',
  body: '{pupil} 已 {days} 天没有打卡，最近一次是 {day}。请联系家长了解情况。',
  holes: {
    pupil: { kind: 'TEXT', sample: '王小明' },
    days: { kind: 'NUMBER', sample: '5' },
    day: { kind: 'DAY', sample: '2026-11-15' },
  },
})
