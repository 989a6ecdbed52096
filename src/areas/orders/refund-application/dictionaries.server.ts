import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  REFUND_REASON: {
    name: { 'zh-CN': '退款原因', 'en-US': 'Refund reason', 'pt-BR': 'Motivo do reembolso' },
    entries: {
      NO_TIME: {
        colour: 'blue',
        'zh-CN': '没有时间学习',
        'en-US': 'No time to study',
        'pt-BR': 'Sem tempo para estudar',
      },
      NOT_INTERESTED: {
        colour: 'orange',
        'zh-CN': '孩子不感兴趣',
        'en-US': 'Child not interested',
        'pt-BR': 'Criança sem interesse',
      },
      NO_EFFECT: { colour: 'indigo', 'zh-CN': '效果不明显', 'en-US': 'Little progress', 'pt-BR': 'Pouco progresso' },
      TEACHER: {
        colour: 'purple',
        'zh-CN': '对点评不满意',
        'en-US': 'Unhappy with feedback',
        'pt-BR': 'Insatisfação com as correções',
      },
      PRICE: { colour: 'gold', 'zh-CN': '价格原因', 'en-US': 'Price', 'pt-BR': 'Preço' },
      WRONG_ORDER: {
        colour: 'grey',
        'zh-CN': '重复或误拍',
        'en-US': 'Duplicate or mistaken order',
        'pt-BR': 'Pedido repetido ou por engano',
      },
      GOODS: {
        colour: 'cyan',
        'zh-CN': '商品破损或少发',
        'en-US': 'Goods damaged or missing',
        'pt-BR': 'Produto danificado ou faltando',
      },
      OTHER: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outro' },
    },
  },
})
