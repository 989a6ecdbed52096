import { defineLocale } from '#kit/model/language.ts'

/** Texts of a password that is shown once, to whoever passes it on. */
export const locale = defineLocale({
  'zh-CN': {
    title: '一次性密码',
    told: '请现在转告 {name}。关闭后无法再次查看，首次登录须修改密码。',
    account: '账号',
    copy: '复制账号和密码',
    copied: '账号：{account}\n一次性密码：{password}',
    done: '已转告，关闭',
  },
  'en-US': {
    title: 'One-time password',
    told: 'Tell {name} now. It cannot be shown again, and must be changed at the first sign-in.',
    account: 'Account',
    copy: 'Copy account and password',
    copied: 'Account: {account}\nOne-time password: {password}',
    done: 'Passed on, close',
  },
  'pt-BR': {
    title: 'Senha de uso único',
    told: 'Informe a {name} agora. Não será mostrada de novo e deve ser trocada no primeiro login.',
    account: 'Conta',
    copy: 'Copiar conta e senha',
    copied: 'Conta: {account}\nSenha de uso único: {password}',
    done: 'Já informei, fechar',
  },
})
