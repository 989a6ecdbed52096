import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': { 'signature-wrong': '签名不正确' },
  'en-US': { 'signature-wrong': 'The signature is wrong' },
  'pt-BR': { 'signature-wrong': 'A assinatura está errada' },
})
