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
    'field.oldPassword': 'Old password',
    'field.password': 'New password',
    'field.repeat': 'New password again',
    'others-ended': 'Password changed. You are signed out on all other devices.',
    change: 'Change password',
    'help.min': 'At least {min} characters; no common password, and without your account or name',
    'help.classes': 'At least {min} characters from {classes} of these: capitals, small letters, digits, signs',
    'help.remembered': 'None of the last {count} passwords',
  },
  'pt-BR': {
    title: 'Trocar senha',
    'field.oldPassword': 'Senha antiga',
    'field.password': 'Senha nova',
    'field.repeat': 'Senha nova outra vez',
    'others-ended': 'Senha trocada. As sessões em outros aparelhos foram encerradas.',
    change: 'Trocar senha',
    'help.min': 'No mínimo {min} caracteres; nada de senhas comuns, nem a conta ou o nome',
    'help.classes': 'No mínimo {min} caracteres de {classes} destes tipos: maiúsculas, minúsculas, dígitos, símbolos',
    'help.remembered': 'Diferente das últimas {count} senhas',
  },
})
