import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  DOUYIN_ORDER_STATUS: {
    name: { 'zh-CN': '抖音订单状态', 'en-US': 'Douyin order status', 'pt-BR': 'Situação do pedido no Douyin' },
    note: {
      'zh-CN': '值是抖音生活服务的订单与券状态码',
      'en-US': 'Values are the order and voucher codes of Douyin local services',
      'pt-BR': 'Os valores são os códigos de pedido e vale dos serviços locais do Douyin',
    },
    entries: {
      0: { colour: 'grey', 'zh-CN': '初始', 'en-US': 'Created', 'pt-BR': 'Criado' },
      100: { colour: 'grey', 'zh-CN': '待支付', 'en-US': 'Awaiting payment', 'pt-BR': 'Aguardando pagamento' },
      101: { colour: 'grey', 'zh-CN': '支付取消', 'en-US': 'Payment cancelled', 'pt-BR': 'Pagamento cancelado' },
      200: { colour: 'blue', 'zh-CN': '已支付', 'en-US': 'Paid', 'pt-BR': 'Pago' },
      201: { colour: 'cyan', 'zh-CN': '待使用', 'en-US': 'Ready to use', 'pt-BR': 'Pronto para uso' },
      1: { colour: 'green', 'zh-CN': '已完成', 'en-US': 'Complete', 'pt-BR': 'Concluído' },
    },
  },
  DOUYIN_AFTER_SALE: {
    name: { 'zh-CN': '抖音售后状态', 'en-US': 'Douyin returns status', 'pt-BR': 'Situação da devolução no Douyin' },
    entries: {
      300: { colour: 'gold', 'zh-CN': '退款中', 'en-US': 'Refund in progress', 'pt-BR': 'Reembolso em andamento' },
      301: { colour: 'red', 'zh-CN': '已退款', 'en-US': 'Refunded', 'pt-BR': 'Reembolsado' },
    },
  },
})
