import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '流量管理' },
  'en-US': { title: 'Traffic' },
  'pt-BR': { title: 'Tráfego' },
})
