import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'signature-wrong': '签名不正确',
    'notice-of-others': '通知不属于本商户',
    'notice-unreadable': '通知内容无法识别',
    'notice-amount': '退款 {refundNo} 的金额与申请不符',
  },
  'en-US': {
    'signature-wrong': 'The signature is wrong',
    'notice-of-others': 'The notification is for another merchant',
    'notice-unreadable': 'The notification cannot be read',
    'notice-amount': 'Refund {refundNo} is of another amount than was asked for',
  },
  'pt-BR': {
    'signature-wrong': 'A assinatura está errada',
    'notice-of-others': 'A notificação é de outro lojista',
    'notice-unreadable': 'A notificação não pode ser lida',
    'notice-amount': 'O reembolso {refundNo} tem valor diferente do solicitado',
  },
})
