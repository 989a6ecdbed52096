import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'signature-wrong': '签名不正确',
    'notice-of-others': '通知不属于本商户',
    'notice-unreadable': '通知内容无法识别',
    'no-stray': '这笔款项已不需要处理',
  },
  'en-US': {
    'signature-wrong': 'The signature is wrong',
    'notice-of-others': 'The notification is for another merchant',
    'notice-unreadable': 'The notification cannot be read',
    'no-stray': 'This payment no longer needs handling',
  },
  'pt-BR': {
    'signature-wrong': 'A assinatura está errada',
    'notice-of-others': 'A notificação é de outro lojista',
    'notice-unreadable': 'A notificação não pode ser lida',
    'no-stray': 'Este pagamento já não está pendente',
  },
})
