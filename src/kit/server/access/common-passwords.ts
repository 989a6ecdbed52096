const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words everybody here would try first. */
export const PRODUCT_WORDS = words('inkstone yantai 砚台 硯台 calligraphy handwriting shufa 书法 書法 写字')

/**
 * What the lists of leaked passwords are made of once digits, years and runs are taken off: kept by hand, in small letters.
 * A word in it does not spoil a password; only one that is little else is refused.
 */
export const COMMON_BASES = words(`
password passwort passwd passcode passw0rd senha contrasena motdepasse parola secret geheim private
admin administrator administrador root superuser manager master owner operator service support system sysadmin guest
user username login logon signin welcome hello default change changeme letmein access open sesame nopass temp temporary
test testing tester demo example sample qwerty qwertz azerty dvorak asdf zxcv qazwsx qweasd asdzxc zaqwsx qwer wasd
iloveyou loveyou lovely love forever together always babygirl baby angel princess prince queen king honey sweet sweetheart
darling family mother father mommy daddy brother sister friend friends girl boys lady gentleman kisses heart
sunshine moonlight star stars rainbow flower rose lily daisy summer winter spring autumn january february march april
june july august september october november december monday tuesday wednesday thursday friday saturday sunday
dragon tiger lion eagle falcon phoenix wolf bear monkey horse rabbit panda puppy kitty cat dog fish bird butterfly shark
football soccer baseball basketball hockey tennis golf liverpool chelsea arsenal barcelona realmadrid juventus madrid lakers
yankees cowboys steelers rangers ranger hunter killer warrior soldier ninja samurai knight wizard merlin shadow
batman superman spiderman ironman avengers starwars matrix pokemon pikachu naruto mario zelda minecraft warcraft
michael jennifer jessica ashley amanda daniel thomas robert joshua matthew andrew charlie jordan george william
anthony nicole michelle hannah samantha maggie taylor harley buster ginger pepper cookie chocolate banana orange apple
cheese coffee pizza chicken computer internet laptop mobile phone windows microsoft linux ubuntu oracle mysql postgres
server network router cisco google facebook twitter youtube amazon samsung huawei xiaomi alibaba taobao tencent weixin
wechat baidu douyin whatever nothing something anything money dollar lucky happy smile dream magic mystery power
silver golden gold diamond platinum crystal purple yellow green black white blue red pink freedom liberty america
china chinese beijing shanghai guangzhou shenzhen hangzhou hongkong taiwan brasil brazil saopaulo flamengo corinthians
palmeiras santos vasco gremio deus jesus christ maria amor teamo saudade
woaini woaiwojia woaini1314 wobuai aiwo aini baobao baobei laopo laogong mama baba gege jiejie didi meimei
nihao wozuikeai zhongguo xiaoming zhangwei wangwei lilei hanmeimei mima guanliyuan kaixin kuaile pingan xingfu facai
fuck fuckyou shit asshole bitch sexy hottie pussy biteme trustno1 ncc1701 thx1138 blink182 abc123 a1b2c3 q1w2e3 p0o9i8
1q2w3e 1a2s3d 1z2x3c zxc123 qwe123 asd123 aa123456 a123456 123qwe 123abc 123456a
5201314 1314520 520520 1314 521521 201314 147258 159357 258456 741852 789456 112233 121212 123123 123321 131313 159753
456123 666888 696969 741258 789789 888999 101010 102030 147852 314159 369258 420420 password1
学生 老师 老師 密码 密碼 管理员 管理員 我爱你 我愛你 你好 中国 中國 开心 快乐 平安 幸福 发财
`)
