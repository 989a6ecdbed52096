import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '个人中心' },
  'en-US': { title: 'Account center' },
  'pt-BR': { title: 'Minha conta' },
})
