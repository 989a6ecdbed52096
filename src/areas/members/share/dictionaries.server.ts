import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  SHARE_PLATFORM: {
    name: { 'zh-CN': '分享平台', 'en-US': 'Sharing platform', 'pt-BR': 'Plataforma de divulgação' },
    entries: {
      MOMENTS: { colour: 'blue', 'zh-CN': '朋友圈', 'en-US': 'WeChat Moments', 'pt-BR': 'WeChat Moments' },
      WECHAT_GROUP: { colour: 'cyan', 'zh-CN': '微信群', 'en-US': 'WeChat group', 'pt-BR': 'Grupo do WeChat' },
      XIAOHONGSHU: { colour: 'magenta', 'zh-CN': '小红书', 'en-US': 'Xiaohongshu', 'pt-BR': 'Xiaohongshu' },
      DOUYIN: { colour: 'indigo', 'zh-CN': '抖音', 'en-US': 'Douyin', 'pt-BR': 'Douyin' },
      OTHER: { colour: 'grey', 'zh-CN': '其他', 'en-US': 'Other', 'pt-BR': 'Outra' },
    },
  },
})
