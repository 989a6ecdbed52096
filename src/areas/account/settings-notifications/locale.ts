import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '消息通知', help: '关闭后不再弹出该类提醒，数据仍会实时更新' },
  'en-US': { title: 'Notifications', help: 'A kind switched off no longer pops up; the data stays live' },
  'pt-BR': { title: 'Notificações', help: 'Um tipo desligado não aparece mais; os dados continuam ao vivo' },
})
