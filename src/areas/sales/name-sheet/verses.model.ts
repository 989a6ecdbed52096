/** Offered to be practised below a name: poems every pupil learns, and what one wishes a child. Each line stands for itself. */
export const VERSES = [
  '床前明月光，疑是地上霜。\n举头望明月，低头思故乡。',
  '春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多少。',
  '白日依山尽，黄河入海流。\n欲穷千里目，更上一层楼。',
  '锄禾日当午，汗滴禾下土。\n谁知盘中餐，粒粒皆辛苦。',
  '好好学习，天天向上。',
  '平安喜乐，万事如意。',
  '字如其人，端端正正。',
] as const
