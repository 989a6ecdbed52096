import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '修改密码',
    'field.oldPassword': '原密码',
    'field.password': '新密码',
    'field.repeat': '确认新密码',
    'others-ended': '密码已修改，其他设备上的登录已退出',
    change: '修改密码',
    'help.min': '至少 {min} 个字符，不能是常见密码，也不要包含账号或姓名',
    'help.classes': '至少 {min} 个字符，并包含大写字母、小写字母、数字、符号中的 {classes} 类',
    'help.remembered': '不能与最近 {count} 次使用的密码相同',
  },
  'en-US': {
    title: 'Change password',
    'field.oldPassword': 'Current password',
    'field.password': 'New password',
    'field.repeat': 'Confirm new password',
    'others-ended': 'Password changed. You are signed out on all other devices.',
    change: 'Change password',
    'help.min': 'At least {min} characters; not a common password, and not containing your account or name',
    'help.classes':
      'At least {min} characters, including {classes} of these: capital letters, small letters, digits, symbols',
    'help.remembered': 'Must differ from your last {count} passwords',
  },
  'pt-BR': {
    title: 'Trocar senha',
    'field.oldPassword': 'Senha atual',
    'field.password': 'Senha nova',
    'field.repeat': 'Confirmar senha nova',
    'others-ended': 'Senha trocada. As sessões em outros aparelhos foram encerradas.',
    change: 'Trocar senha',
    'help.min': 'No mínimo {min} caracteres; não use senhas comuns, nem a conta ou o nome',
    'help.classes': 'No mínimo {min} caracteres, com {classes} destes tipos: maiúsculas, minúsculas, dígitos, símbolos',
    'help.remembered': 'Diferente das últimas {count} senhas',
  },
})
