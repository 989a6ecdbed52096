import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    settings: '平台订单',
    'setting.claimWithin': '领课时限',
    'setting.claimWithin.help': '在平台付款后超过这个时间还没有领课的订单列为异常',
    'job.find-unclaimed-orders': '查找未领课订单',
    'job.find-unclaimed-orders.help': '把付款后超过时限仍未领课的平台订单列为异常',
  },
  'en-US': {
    settings: 'Platform orders',
    'setting.claimWithin': 'Time to claim',
    'setting.claimWithin.help': 'Orders paid on a platform and not claimed within this time become exceptions',
    'job.find-unclaimed-orders': 'Find unclaimed orders',
    'job.find-unclaimed-orders.help': 'Platform orders that were paid and not claimed in time become exceptions',
  },
  'pt-BR': {
    settings: 'Pedidos de plataformas',
    'setting.claimWithin': 'Prazo para resgatar',
    'setting.claimWithin.help': 'Pedidos pagos numa plataforma e não resgatados neste prazo viram exceções',
    'job.find-unclaimed-orders': 'Encontrar pedidos não resgatados',
    'job.find-unclaimed-orders.help': 'Pedidos de plataformas pagos e não resgatados no prazo viram exceções',
  },
})
