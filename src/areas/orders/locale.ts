import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { title: '订单管理' },
  'en-US': { title: 'Orders' },
  'pt-BR': { title: 'Pedidos' },
})
