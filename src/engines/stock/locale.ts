import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    short: '库存不足，请先入库或减少数量',
  },
  'en-US': {
    short: 'Not enough stock. Add stock first, or reduce the quantity.',
  },
  'pt-BR': {
    short: 'Estoque insuficiente. Dê entrada antes ou reduza a quantidade.',
  },
})
