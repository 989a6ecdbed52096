import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  WEEKDAY: {
    name: { 'zh-CN': '工作日', 'en-US': 'Working day', 'pt-BR': 'Dia de trabalho' },
    entries: {
      MON: { colour: 'blue', 'zh-CN': '周一', 'en-US': 'Mon', 'pt-BR': 'Seg' },
      TUE: { colour: 'blue', 'zh-CN': '周二', 'en-US': 'Tue', 'pt-BR': 'Ter' },
      WED: { colour: 'blue', 'zh-CN': '周三', 'en-US': 'Wed', 'pt-BR': 'Qua' },
      THU: { colour: 'blue', 'zh-CN': '周四', 'en-US': 'Thu', 'pt-BR': 'Qui' },
      FRI: { colour: 'blue', 'zh-CN': '周五', 'en-US': 'Fri', 'pt-BR': 'Sex' },
      SAT: { colour: 'gold', 'zh-CN': '周六', 'en-US': 'Sat', 'pt-BR': 'Sáb' },
      SUN: { colour: 'gold', 'zh-CN': '周日', 'en-US': 'Sun', 'pt-BR': 'Dom' },
    },
  },
})
