import { defineLocale } from '#kit/model/language.ts'
import { SHIPMENT_TEXTS } from '../shipment-texts.model.ts'

export const locale = defineLocale({
  'zh-CN': {
    ...SHIPMENT_TEXTS['zh-CN'],
    title: '发货审核',
    'todo.approve': '待审批的发货',
    'awaits.approve': '仓库主管审批',
    'ask.approve': '通过后转到发货台打包发出。',
    'done.approve': '已通过，转到发货台',
    'ask.reject': '不再发货，锁定的库存立即释放。',
    'done.reject': '已驳回，锁定的库存已释放',
    empty: '已付款订单、补发和金币订单的发货在这里审核。',
    'address-missing': '还没有收件地址，请先在订单中补充',
  },
  'en-US': {
    ...SHIPMENT_TEXTS['en-US'],
    title: 'Shipment approval',
    'todo.approve': 'Shipments to approve',
    'awaits.approve': 'the warehouse manager',
    'ask.approve': 'It goes on to shipping, where it is packed and sent.',
    'done.approve': 'Shipment approved; passed on to shipping',
    'ask.reject': 'Nothing is sent, and the reserved stock becomes available at once.',
    'done.reject': 'Shipment rejected; its stock is available again',
    empty: 'Shipments of paid orders, resends and coin orders are approved here.',
    'address-missing': 'There is no address yet; add it to the order first',
  },
  'pt-BR': {
    ...SHIPMENT_TEXTS['pt-BR'],
    title: 'Aprovação de envios',
    'todo.approve': 'Envios a aprovar',
    'awaits.approve': 'o gestor do depósito',
    'ask.approve': 'Segue para a expedição, onde é embalado e despachado.',
    'done.approve': 'Envio aprovado; segue para a expedição',
    'ask.reject': 'Nada é enviado, e o estoque reservado fica disponível na hora.',
    'done.reject': 'Envio recusado; o estoque está disponível de novo',
    empty: 'Os envios de pedidos pagos, reenvios e pedidos com moedas são aprovados aqui.',
    'address-missing': 'Ainda não há endereço; complete-o no pedido',
  },
})
