import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '我的导出' },
  'en-US': { title: 'My exports' },
  'pt-BR': { title: 'Minhas exportações' },
})
