import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  XHS_ORDER_STATUS: {
    name: {
      'zh-CN': '小红书订单状态',
      'en-US': 'Xiaohongshu order status',
      'pt-BR': 'Situação do pedido no Xiaohongshu',
    },
    note: {
      'zh-CN': '值是小红书店铺的订单状态码',
      'en-US': 'Values are the order codes of the Xiaohongshu shop',
      'pt-BR': 'Os valores são os códigos de pedido da loja do Xiaohongshu',
    },
    entries: {
      1: { colour: 'grey', 'zh-CN': '已下单待付款', 'en-US': 'Awaiting payment', 'pt-BR': 'Aguardando pagamento' },
      2: { colour: 'blue', 'zh-CN': '已支付处理中', 'en-US': 'Paid, in process', 'pt-BR': 'Pago, em processamento' },
      3: { colour: 'blue', 'zh-CN': '清关中', 'en-US': 'At customs', 'pt-BR': 'Na alfândega' },
      4: { colour: 'blue', 'zh-CN': '待发货', 'en-US': 'Awaiting dispatch', 'pt-BR': 'Aguardando envio' },
      5: { colour: 'cyan', 'zh-CN': '部分发货', 'en-US': 'Partly dispatched', 'pt-BR': 'Enviado em parte' },
      6: { colour: 'cyan', 'zh-CN': '待收货', 'en-US': 'On the way', 'pt-BR': 'A caminho' },
      7: { colour: 'green', 'zh-CN': '已完成', 'en-US': 'Complete', 'pt-BR': 'Concluído' },
      8: { colour: 'red', 'zh-CN': '已关闭', 'en-US': 'Closed', 'pt-BR': 'Encerrado' },
      9: { colour: 'grey', 'zh-CN': '已取消', 'en-US': 'Cancelled', 'pt-BR': 'Cancelado' },
      10: { colour: 'gold', 'zh-CN': '换货申请中', 'en-US': 'Exchange requested', 'pt-BR': 'Troca solicitada' },
    },
  },
  XHS_AFTER_SALE: {
    name: {
      'zh-CN': '小红书售后状态',
      'en-US': 'Xiaohongshu returns status',
      'pt-BR': 'Situação da devolução no Xiaohongshu',
    },
    entries: {
      1: { colour: 'grey', 'zh-CN': '无售后', 'en-US': 'None', 'pt-BR': 'Nenhuma' },
      2: { colour: 'gold', 'zh-CN': '处理中', 'en-US': 'In progress', 'pt-BR': 'Em andamento' },
      3: { colour: 'red', 'zh-CN': '已完成', 'en-US': 'Complete', 'pt-BR': 'Concluída' },
      4: { colour: 'grey', 'zh-CN': '已拒绝', 'en-US': 'Refused', 'pt-BR': 'Recusada' },
      5: { colour: 'grey', 'zh-CN': '已关闭', 'en-US': 'Closed', 'pt-BR': 'Encerrada' },
      6: { colour: 'orange', 'zh-CN': '平台介入', 'en-US': 'With the platform', 'pt-BR': 'Com a plataforma' },
      7: { colour: 'grey', 'zh-CN': '已取消', 'en-US': 'Cancelled', 'pt-BR': 'Cancelada' },
    },
  },
})
