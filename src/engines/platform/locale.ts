import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { 'signature-wrong': '签名不正确', 'message-unreadable': '无法读取平台消息' },
  'en-US': { 'signature-wrong': 'The signature is wrong', 'message-unreadable': 'The message cannot be read' },
  'pt-BR': { 'signature-wrong': 'A assinatura está errada', 'message-unreadable': 'A mensagem não pôde ser lida' },
})
