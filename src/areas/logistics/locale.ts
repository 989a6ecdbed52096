import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    title: '物流管理',
    pieces: '{name} × {quantity}',
    'of-pieces': '共 {quantity}',
    'refund-open': '订单有未完结的退款，暂不能发出',
    'own-shipment': '不能审核自己申请的发货',
  },
  'en-US': {
    title: 'Logistics',
    pieces: '{name} × {quantity}',
    'of-pieces': 'of {quantity}',
    'refund-open': 'A refund of the order is open; nothing leaves until it is decided',
    'own-shipment': 'You cannot approve a shipment you asked for',
  },
  'pt-BR': {
    title: 'Logística',
    pieces: '{name} × {quantity}',
    'of-pieces': 'de {quantity}',
    'refund-open': 'Há um reembolso em aberto; nada sai até ser decidido',
    'own-shipment': 'Você não pode aprovar um envio que solicitou',
  },
})
