import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  CHANNELS_ORDER_STATUS: {
    name: {
      'zh-CN': '微信小店订单状态',
      'en-US': 'WeChat shop order status',
      'pt-BR': 'Situação do pedido na loja do WeChat',
    },
    note: {
      'zh-CN': '值是微信小店的订单状态码',
      'en-US': 'Values are the order codes of the WeChat shop',
      'pt-BR': 'Os valores são os códigos de pedido da loja do WeChat',
    },
    entries: {
      10: { colour: 'grey', 'zh-CN': '待付款', 'en-US': 'Awaiting payment', 'pt-BR': 'Aguardando pagamento' },
      20: { colour: 'blue', 'zh-CN': '待发货', 'en-US': 'Awaiting dispatch', 'pt-BR': 'Aguardando envio' },
      21: { colour: 'cyan', 'zh-CN': '部分发货', 'en-US': 'Partly dispatched', 'pt-BR': 'Enviado em parte' },
      30: { colour: 'cyan', 'zh-CN': '待收货', 'en-US': 'On the way', 'pt-BR': 'A caminho' },
      100: { colour: 'green', 'zh-CN': '已完成', 'en-US': 'Complete', 'pt-BR': 'Concluído' },
      190: { colour: 'grey', 'zh-CN': '已取消（190）', 'en-US': 'Cancelled (190)', 'pt-BR': 'Cancelado (190)' },
      200: {
        colour: 'red',
        'zh-CN': '全部售后后取消',
        'en-US': 'Cancelled after returns',
        'pt-BR': 'Cancelado após devolução',
      },
      250: { colour: 'grey', 'zh-CN': '未付款取消', 'en-US': 'Cancelled unpaid', 'pt-BR': 'Cancelado sem pagamento' },
    },
  },
  CHANNELS_AFTER_SALE: {
    name: {
      'zh-CN': '微信小店售后状态',
      'en-US': 'WeChat shop returns status',
      'pt-BR': 'Situação da devolução na loja do WeChat',
    },
    entries: {
      MERCHANT_PROCESSING: {
        colour: 'gold',
        'zh-CN': '商家处理中',
        'en-US': 'Shop is deciding',
        'pt-BR': 'Loja avaliando',
      },
      USER_WAIT_RETURN: {
        colour: 'gold',
        'zh-CN': '待买家退货',
        'en-US': 'Awaiting return',
        'pt-BR': 'Aguardando devolução',
      },
      MERCHANT_WAIT_RECEIPT: {
        colour: 'gold',
        'zh-CN': '待商家收货',
        'en-US': 'Return on its way',
        'pt-BR': 'Devolução a caminho',
      },
      USER_WAIT_CONFIRM: {
        colour: 'gold',
        'zh-CN': '待买家确认',
        'en-US': 'Awaiting the buyer',
        'pt-BR': 'Aguardando o comprador',
      },
      USER_WAIT_CONFIRM_UPDATE: {
        colour: 'gold',
        'zh-CN': '待买家确认修改',
        'en-US': 'Awaiting the buyer (changed)',
        'pt-BR': 'Aguardando o comprador (alterado)',
      },
      USER_WAIT_HANDLE_MERCHANT_AFTER_SALE: {
        colour: 'gold',
        'zh-CN': '待买家处理',
        'en-US': 'Proposed by the shop',
        'pt-BR': 'Proposto pela loja',
      },
      PLATFORM_REFUNDING: {
        colour: 'orange',
        'zh-CN': '平台退款中',
        'en-US': 'Refund in progress',
        'pt-BR': 'Reembolso em andamento',
      },
      MERCHANT_OVERDUE_REFUND: {
        colour: 'orange',
        'zh-CN': '商家逾期，平台退款',
        'en-US': 'Shop late, platform refunds',
        'pt-BR': 'Loja atrasou, plataforma reembolsa',
      },
      PLATFORM_REFUND_FAIL: {
        colour: 'red',
        'zh-CN': '平台退款失败',
        'en-US': 'Refund failed',
        'pt-BR': 'Reembolso falhou',
      },
      MERCHANT_REFUND_RETRY_FAIL: {
        colour: 'red',
        'zh-CN': '重试退款失败',
        'en-US': 'Refund failed again',
        'pt-BR': 'Reembolso falhou de novo',
      },
      MERCHANT_FAIL: {
        colour: 'red',
        'zh-CN': '商家处理失败',
        'en-US': 'Shop could not refund',
        'pt-BR': 'Loja não conseguiu reembolsar',
      },
      MERCHANT_REFUND_SUCCESS: { colour: 'red', 'zh-CN': '已退款', 'en-US': 'Refunded', 'pt-BR': 'Reembolsado' },
      MERCHANT_RETURN_SUCCESS: {
        colour: 'red',
        'zh-CN': '已退货退款',
        'en-US': 'Returned and refunded',
        'pt-BR': 'Devolvido e reembolsado',
      },
      MERCHANT_REJECT_REFUND: {
        colour: 'grey',
        'zh-CN': '商家拒绝退款',
        'en-US': 'Refund refused',
        'pt-BR': 'Reembolso recusado',
      },
      MERCHANT_REJECT_RETURN: {
        colour: 'grey',
        'zh-CN': '商家拒绝退货',
        'en-US': 'Return refused',
        'pt-BR': 'Devolução recusada',
      },
      USER_CANCELD: {
        colour: 'grey',
        'zh-CN': '买家已撤销',
        'en-US': 'Withdrawn by the buyer',
        'pt-BR': 'Desistência do comprador',
      },
      RETURN_CLOSED: {
        colour: 'grey',
        'zh-CN': '退货已关闭',
        'en-US': 'Return closed',
        'pt-BR': 'Devolução encerrada',
      },
    },
  },
})
