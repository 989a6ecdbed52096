import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { short: '库存不足，请先入库或减少数量' },
  'en-US': { short: 'Not enough in stock; take goods in first, or ask for less' },
  'pt-BR': { short: 'Estoque insuficiente; dê entrada antes ou reduza a quantidade' },
})
