import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '消息通知',
    help: '关闭后不再弹出该类提醒，数据仍会实时更新',
    'mail-decisions': '我提交的申请有结果时，发邮件告诉我',
    empty: '您的角色目前不会收到通知',
    'load-failed': '设置没有保存成功',
  },
  'en-US': {
    title: 'Notifications',
    help: 'Notifications that are switched off no longer pop up; the data still updates live',
    'mail-decisions': 'E-mail me when something I asked for is decided',
    empty: 'Your role does not receive notifications at present',
    'load-failed': 'The setting could not be saved',
  },
  'pt-BR': {
    title: 'Notificações',
    help: 'As notificações desligadas não aparecem mais; os dados continuam sendo atualizados ao vivo',
    'mail-decisions': 'Avisar por e-mail quando um pedido meu for decidido',
    empty: 'Sua função não recebe notificações no momento',
    'load-failed': 'Não foi possível salvar a configuração',
  },
})
