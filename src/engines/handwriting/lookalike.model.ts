/** Characters that children take for each other: each of a group looks like the others. */
const GROUPS =
  '未末 土士 日目 日曰 己已巳 今令 大太 大犬 大天 天夫 天无 王玉 王主 王五 鸟乌 晴睛 人入 人八 入八 干千 干于 牛午 牛生 田由 田甲 由甲申 申电 ' +
  '木本 木术 木禾 禾木 木未 刀力 刀刃 刀九 力九 力办 白百 白自 自目 目且 且具 贝见 见贝 口日 口回 中申 手毛 毛手 万方 方万 户尸 户房 ' +
  '小少 心必 了子 子孑 字宇 字学 雪雷 雨两 们门 门问 问间 间闻 他她 他地 她地 地池 池他 我找 找我 师帅 石右 右石 右古 左在 在左 有友 友有 ' +
  '东乐 车东 乐车 东车 西四 四西 洒酒 酒洒 清请 请情 情清 青晴 清晴 晴请 睛情 波披 坡波 坡披 跑饱 饱泡 泡炮 跑炮 抱跑 园圆 圆园 园团 因困 困因 困国 ' +
  '体休 休体 林木 林森 竹个 个介 介个 从丛 开井 井开 开形 平来 来米 米来 半米 平半 买卖 实买 头买 头实 丝纟 活话 话活 舌话 古舌 古吉 ' +
  '只识 知和 和如 如知 喝渴 渴喝 住往 住佳 往住 主住 近进 进近 远近 远元 元无 元云 元完 完玩 玩完 采菜 采彩 彩采 爪瓜 瓜爪 抓孤 ' +
  '鸭鸡 鸡鸭 岛鸟 岛乌 已巴 巴已 把吧 吧把 爸吧 爸爷 爷爸 父爷 交文 文交 校较 较校 叉又 又叉 又友 反友 反后 后反 皮反 石后 ' +
  '几九 几儿 儿几 儿元 风凤 凤风 风凡 凡风 凡几 丸九 九丸 失矢 矢失 夫失 夫末 未朱 朱末 休本 本末 苦若 若苦 若右 苦古 ' +
  '历厉 厂广 广厂 厅厂 庄压 压庄 庄床 床庆 庆床 牛半 羊半 羊美 美羊 洋样 样洋 准谁 谁准 难谁 谁难 请谁 说话 说读 读续 ' +
  '晚挽 免兔 兔免 晚兔 鱼免 角鱼 用角 用甩 甩用 月用 月朋 明朋 朋明 明月 日明 旦早 早旦 早草 旱早 早旱 是早 是题 题是 ' +
  '兄只 兄儿 兄足 足走 走足 走赶 是走 足是 弟第 第弟 姐祖 祖姐 组姐 妈吗 吗妈 吗骂 马鸟 马乌 乌马 妹姝 味妹 妹味 奶仍 仍奶 ' +
  '春看 春青 看着 着看 着羊 夏复 复夏 秋和 秋秒 冬处 处冬 冬各 各名 名各 多名 夕多 外处 处外 列别 别另 另别 另加 加如 如加 ' +
  '冷令 冷今 令冷 热势 势热 热熟 熟热 温湿 江红 红江 江工 工土 工干 工上 上土 上下 下不 不下 下卞 河何 何河 湖胡 浪狼 狼浪 ' +
  '很狠 狠很 很根 根很 银很 船般 般船 桥轿 轿桥 路跟 跟路 街行 行往 城诚 诚城 村材 材村 村树 树村 对树 镇填 市布 布市 币布 都者 ' +
  '书卡 写与 与写 与马 字子 笔毛 纸低 低纸 低底 底低 墨黑 黑墨 黑里 里黑 里理 砚现 见现 现观 观现 欢观 文父 章音 音章 意音 词司 句旬 旬句 诗待 待诗 时诗 ' +
  '画由 图冬 教数 数教 室至 至到 到倒 桌果 果桌 果呆 呆果 课果 椅骑 骑椅 板饭 饭板 版板 爱受 受爱 想相 相想 听所 所听 看手 问闪 答合 合答 会合 合会 会全 全会 全金 金全 对时 时对 ' +
  '做故 故做 作昨 昨作 业亚 亚业 班斑 级极 极级 吸级 窗窑 房户 屋室 灯打 打灯 灯钉 衣农 农衣 服报 报服 鞋靴 帽冒 饱饼 饼并 茶荣 荣茶 苹萍 桃挑 挑桃 挑跳 李季 季李 杏否 李杏 瓜爬 豆头 麦责 ' +
  '粮粗 油由 抽油 油抽 盐监 糖塘 包句 包抱 刀叨 碗腕 杯怀 怀杯 坏怀 坏杯 怀坏 光先 先光 先洗 星早 星生 生主 生牛'
/** Each further one is fitted too: the likeliest few are enough. */
const MOST_NEIGHBOURS = 4

const neighbours = new Map<string, string[]>()
for (const group of GROUPS.split(' '))
  for (const one of group)
    for (const other of group) {
      const known = neighbours.get(one) ?? []
      if (one !== other && !known.includes(other) && known.length < MOST_NEIGHBOURS) known.push(other)
      neighbours.set(one, known)
    }

/** What a character is taken for, the likeliest first. */
export const lookalikesOf = (character: string): readonly string[] => neighbours.get(character) ?? []
