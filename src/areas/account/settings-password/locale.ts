import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '修改密码',
    'field.oldPassword': '原密码',
    'field.password': '新密码',
    'field.repeat': '确认新密码',
    'others-ended': '密码已修改，其他设备上的登录已退出',
  },
  'en-US': {
    title: 'Change password',
    'field.oldPassword': 'Old password',
    'field.password': 'New password',
    'field.repeat': 'New password again',
    'others-ended': 'Password changed. You are signed out on all other devices.',
  },
  'pt-BR': {
    title: 'Trocar senha',
    'field.oldPassword': 'Senha antiga',
    'field.password': 'Senha nova',
    'field.repeat': 'Senha nova outra vez',
    'others-ended': 'Senha trocada. As sessões em outros aparelhos foram encerradas.',
  },
})
