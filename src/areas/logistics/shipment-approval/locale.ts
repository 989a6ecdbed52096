import { defineLocale } from '#kit/model/language.ts'
import { SHIPMENT_TEXTS } from '../shipment-texts.model.ts'

export const locale = defineLocale({
  'zh-CN': {
    ...SHIPMENT_TEXTS['zh-CN'],
    title: '发货审核',
    'ask.approve': '通过后进入发货台。',
    'ask.reject': '不再发货，锁定的库存立即释放。',
    empty: '已付款订单、补发和金币订单的发货在这里审核。',
    'address-missing': '还没有收件地址，请先在订单中补充',
  },
  'en-US': {
    ...SHIPMENT_TEXTS['en-US'],
    title: 'Shipment approval',
    'ask.approve': 'It goes on to the send desk.',
    'ask.reject': 'Nothing is sent, and the locked stock is free at once.',
    empty: 'What paid orders, re-sends and coin orders send is approved here.',
    'address-missing': 'No address yet; add it to the order first',
  },
  'pt-BR': {
    ...SHIPMENT_TEXTS['pt-BR'],
    title: 'Aprovação de envios',
    'ask.approve': 'Segue para a mesa de envio.',
    'ask.reject': 'Nada é enviado, e o estoque reservado fica livre na hora.',
    empty: 'O que pedidos pagos, reenvios e pedidos de moedas enviam é aprovado aqui.',
    'address-missing': 'Ainda sem endereço; complete no pedido',
  },
})
