import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'name-empty': '请填写姓名，间隔号只能在字与字之间',
    'name-strange': '姓名里只能有汉字和间隔号，这些不行：{characters}',
    'name-long': '姓名最多 {max} 个字',
    'verse-strange': '只能有汉字和中文标点，这些不行：{characters}',
    'verse-long': '最多 {max} 个字',
    'character-unknown': '这些字没有字形，无法制作字帖：{characters}',
  },
  'en-US': {
    'name-empty': 'Enter a name; a dot may only stand between characters',
    'name-strange': 'A name has Chinese characters and dots only. Not possible: {characters}',
    'name-long': 'A name has at most {max} characters',
    'verse-strange': 'Only Chinese characters and punctuation. Not possible: {characters}',
    'verse-long': 'At most {max} characters',
    'character-unknown': 'There is no shape to draw these characters by: {characters}',
  },
  'pt-BR': {
    'name-empty': 'Informe um nome; o ponto só pode ficar entre caracteres',
    'name-strange': 'O nome só pode ter caracteres chineses e pontos. Não é possível: {characters}',
    'name-long': 'O nome tem no máximo {max} caracteres',
    'verse-strange': 'Só caracteres chineses e pontuação chinesa. Não é possível: {characters}',
    'verse-long': 'No máximo {max} caracteres',
    'character-unknown': 'Não há forma para desenhar estes caracteres: {characters}',
  },
})
