import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '物流管理',
    pieces: '{name} × {quantity}',
    'of-pieces': '{pieces} / {quantity}',
    'most-pieces': '/ {quantity}',
    part: '基础商品',
    quantity: '数量',
    'refund-open': '订单有未完结的退款，货物去留未定，暂不能发出',
    'own-shipment': '不能审核自己申请的发货',
  },
  'en-US': {
    title: 'Logistics',
    pieces: '{name} × {quantity}',
    'of-pieces': '{pieces} of {quantity}',
    'most-pieces': 'of {quantity}',
    part: 'Base product',
    quantity: 'Quantity',
    'refund-open': 'The order has an open refund; nothing can be sent until it is settled what happens to the goods',
    'own-shipment': 'You cannot approve a shipment you requested',
  },
  'pt-BR': {
    title: 'Logística',
    pieces: '{name} × {quantity}',
    'of-pieces': '{pieces} de {quantity}',
    'most-pieces': 'de {quantity}',
    part: 'Produto base',
    quantity: 'Quantidade',
    'refund-open': 'O pedido tem um reembolso em aberto; nada pode ser enviado até se definir o destino dos itens',
    'own-shipment': 'Você não pode aprovar um envio que solicitou',
  },
})
