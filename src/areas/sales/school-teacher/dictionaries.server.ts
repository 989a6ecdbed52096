import { defineDictionaries } from '#kit/server/choice/built-in-dictionary.ts'

export const dictionaries = defineDictionaries({
  TEACHER_GRADE: {
    name: { 'zh-CN': '任教年级', 'en-US': 'Grade taught', 'pt-BR': 'Série' },
    entries: {
      PRESCHOOL: { colour: 'grey', 'zh-CN': '幼儿园', 'en-US': 'Preschool', 'pt-BR': 'Pré-escola' },
      GRADE_1: { colour: 'blue', 'zh-CN': '一年级', 'en-US': 'Grade 1', 'pt-BR': '1º ano' },
      GRADE_2: { colour: 'blue', 'zh-CN': '二年级', 'en-US': 'Grade 2', 'pt-BR': '2º ano' },
      GRADE_3: { colour: 'green', 'zh-CN': '三年级', 'en-US': 'Grade 3', 'pt-BR': '3º ano' },
      GRADE_4: { colour: 'green', 'zh-CN': '四年级', 'en-US': 'Grade 4', 'pt-BR': '4º ano' },
      GRADE_5: { colour: 'gold', 'zh-CN': '五年级', 'en-US': 'Grade 5', 'pt-BR': '5º ano' },
      GRADE_6: { colour: 'gold', 'zh-CN': '六年级', 'en-US': 'Grade 6', 'pt-BR': '6º ano' },
      MIDDLE: { colour: 'purple', 'zh-CN': '初中', 'en-US': 'Middle school', 'pt-BR': 'Ensino fundamental II' },
      SEVERAL: { colour: 'indigo', 'zh-CN': '多个年级', 'en-US': 'Several grades', 'pt-BR': 'Várias séries' },
    },
  },
})
