import { PLATFORM_TEXTS } from '#areas/live/platform-order/texts.model.ts'
import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    ...PLATFORM_TEXTS['zh-CN'],
    'todo.handle': '小红书订单异常，待处理',
    title: '小红书订单',
    record: '订单',
    'field.productName': '套餐',
    'field.chatAdded': '已加微',
    empty: '小红书店铺的订单会自动出现在这里。',
  },
  'en-US': {
    ...PLATFORM_TEXTS['en-US'],
    'todo.handle': 'Xiaohongshu order exceptions to handle',
    title: 'Xiaohongshu orders',
    record: 'order',
    'field.productName': 'Package',
    'field.chatAdded': 'Chat contact added',
    empty: 'Orders of the Xiaohongshu shop appear here by themselves.',
  },
  'pt-BR': {
    ...PLATFORM_TEXTS['pt-BR'],
    'todo.handle': 'Exceções de pedidos do Xiaohongshu a resolver',
    title: 'Pedidos Xiaohongshu',
    record: 'pedido',
    'field.productName': 'Pacote',
    'field.chatAdded': 'Contato no chat',
    empty: 'Os pedidos da loja no Xiaohongshu aparecem aqui sozinhos.',
  },
})
