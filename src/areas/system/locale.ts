import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '系统管理' },
  'en-US': { title: 'System' },
  'pt-BR': { title: 'Sistema' },
})
