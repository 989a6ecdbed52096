import { defineLocale } from '#kit/model/language.ts'

export const locale = defineLocale({
  'zh-CN': {
    'name-empty': '请填写姓名，间隔号只能在字与字之间',
    'name-strange': '姓名里只能有汉字和间隔号，这些不行：{characters}',
    'name-long': '姓名最多 {max} 个字',
    'verse-strange': '只能有汉字和中文标点，这些不行：{characters}',
    'verse-long': '最多 {max} 个字',
    'link-invalid': '请填写以 https:// 开头的链接',
    'link-long': '链接最多 {max} 个字符，请使用短链接',
    'character-unknown': '这些字没有字形，无法制作字帖：{characters}',
  },
  'en-US': {
    'name-empty': 'Enter a name; a dot may only stand between characters',
    'name-strange': 'A name has Chinese characters and dots only. Not possible: {characters}',
    'name-long': 'A name has at most {max} characters',
    'verse-strange': 'Only Chinese characters and punctuation. Not possible: {characters}',
    'verse-long': 'At most {max} characters',
    'link-invalid': 'Enter a link that begins with https://',
    'link-long': 'A link has at most {max} characters. Use a short one.',
    'character-unknown': 'There is no shape to draw these characters by: {characters}',
  },
  'pt-BR': {
    'name-empty': 'Informe um nome; o ponto só pode ficar entre caracteres',
    'name-strange': 'O nome só pode ter caracteres chineses e pontos. Não é possível: {characters}',
    'name-long': 'O nome tem no máximo {max} caracteres',
    'verse-strange': 'Só caracteres chineses e pontuação chinesa. Não é possível: {characters}',
    'verse-long': 'No máximo {max} caracteres',
    'link-invalid': 'Informe um link que comece com https://',
    'link-long': 'O link tem no máximo {max} caracteres. Use um link curto.',
    'character-unknown': 'Não há forma para desenhar estes caracteres: {characters}',
  },
})
