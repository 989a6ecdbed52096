import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '消息通知',
    help: '关闭后不再弹出该类提醒，数据仍会实时更新',
    empty: '您的角色目前不会收到通知',
    'load-failed': '设置没有保存成功',
  },
  'en-US': {
    title: 'Notifications',
    help: 'A kind switched off no longer pops up; the data stays live',
    empty: 'Your role gets no notifications at present',
    'load-failed': 'The choice could not be saved',
  },
  'pt-BR': {
    title: 'Notificações',
    help: 'Um tipo desligado não aparece mais; os dados continuam ao vivo',
    empty: 'Seu papel não recebe notificações no momento',
    'load-failed': 'Não foi possível salvar a escolha',
  },
})
