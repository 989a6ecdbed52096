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
    settings: '小红书订单',
    'setting.push': '接收店铺推送',
    'setting.push.help':
      '小红书只向合作方公开推送的格式。请先用实际收到的内容核对，再开启；关闭时，推送地址不存在，平台会稍后再试。',
  },
  'en-US': {
    ...PLATFORM_TEXTS['en-US'],
    'todo.handle': 'Xiaohongshu order exceptions to handle',
    title: 'Xiaohongshu orders',
    record: 'order',
    'field.productName': 'Package',
    'field.chatAdded': 'Chat contact added',
    empty: 'Orders of the Xiaohongshu shop appear here by themselves.',
    settings: 'Xiaohongshu orders',
    'setting.push': 'Listen to the shop',
    'setting.push.help':
      'Xiaohongshu shows the form of its pushes to partners only. Compare what really comes before switching this on; while it is off the address does not exist, and the platform tries again later.',
  },
  'pt-BR': {
    ...PLATFORM_TEXTS['pt-BR'],
    'todo.handle': 'Exceções de pedidos do Xiaohongshu a resolver',
    title: 'Pedidos Xiaohongshu',
    record: 'pedido',
    'field.productName': 'Pacote',
    'field.chatAdded': 'Contato no chat',
    empty: 'Os pedidos da loja no Xiaohongshu aparecem aqui sozinhos.',
    settings: 'Pedidos Xiaohongshu',
    'setting.push': 'Ouvir a loja',
    'setting.push.help':
      'O Xiaohongshu mostra o formato dos avisos só a parceiros. Compare o que chega de verdade antes de ligar; desligado, o endereço não existe e a plataforma tenta de novo mais tarde.',
  },
})
