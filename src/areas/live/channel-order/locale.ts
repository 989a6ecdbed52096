import { PLATFORM_TEXTS } from '#areas/live/platform-order/texts.model.ts'
import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    ...PLATFORM_TEXTS['zh-CN'],
    'todo.handle': '微信小店订单异常，待处理',
    title: '微信小店订单',
    record: '订单',
    empty: '微信小店的订单会自动出现在这里。',
  },
  'en-US': {
    ...PLATFORM_TEXTS['en-US'],
    'todo.handle': 'WeChat shop order exceptions to handle',
    title: 'WeChat shop orders',
    record: 'order',
    empty: 'Orders of the WeChat shop appear here by themselves.',
  },
  'pt-BR': {
    ...PLATFORM_TEXTS['pt-BR'],
    'todo.handle': 'Exceções de pedidos da loja WeChat a resolver',
    title: 'Pedidos no WeChat',
    record: 'pedido',
    empty: 'Os pedidos da loja no WeChat aparecem aqui sozinhos.',
  },
})
