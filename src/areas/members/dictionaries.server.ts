import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  LEAD_CONSENT: {
    name: { 'zh-CN': '联系依据', 'en-US': 'Consent', 'pt-BR': 'Consentimento' },
    entries: {
      APP_TERMS: { colour: 'blue', 'zh-CN': 'App 服务协议', 'en-US': 'App terms', 'pt-BR': 'Termos do app' },
      FORM: { colour: 'green', 'zh-CN': '本人留资', 'en-US': 'Left by the person', 'pt-BR': 'Deixado pela pessoa' },
      PLATFORM_ORDER: {
        colour: 'indigo',
        'zh-CN': '平台订单授权',
        'en-US': 'Platform order',
        'pt-BR': 'Pedido na plataforma',
      },
      SCHOOL: { colour: 'gold', 'zh-CN': '学校报名', 'en-US': 'School sign-up', 'pt-BR': 'Inscrição na escola' },
      REFERRAL: {
        colour: 'purple',
        'zh-CN': '转介绍，本人同意',
        'en-US': 'Referral, agreed',
        'pt-BR': 'Indicação, com acordo',
      },
    },
  },
})
