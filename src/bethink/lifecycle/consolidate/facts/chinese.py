"""How everyday facts are told in Chinese."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.consolidate.facts.book import Book, either, signs

_NAME: Final = r"[^\s的了是在和跟,，。]{1,10}?"
_JOBS: Final = either("""
医生, 护士, 老师, 教师, 律师, 会计, 厨师, 司机, 公务员, 工程师, 程序员, 设计师, 建筑师, 木匠, 电工,
理发师, 药剂师, 牙医, 兽医, 警察, 消防员, 记者, 作家, 画家, 音乐家, 演员, 摄影师, 翻译, 研究员, 科学家,
农民, 渔民, 店员, 销售, 秘书, 飞行员, 空姐, 学生, 大学生, 研究生, 教授, 图书管理员, 服务员, 快递员,
产品经理, 项目经理, 经理, 顾问, 编辑, 导游, 保安, 裁缝, 花匠, 面包师
""")
_COUNTED: Final = either(
    "孩子, 小孩, 儿子, 女儿, 狗, 猫, 鸟, 马, 兔子, 哥哥, 弟弟, 姐姐, 妹妹, 孙子, 车, 自行车"
)
_NUMBER: Final = r"(?:\d{1,3}|[一二两三四五六七八九十])"
_TAKEN: Final = either("酒, 啤酒, 白酒, 红酒, 咖啡, 茶, 牛奶, 鱼, 猪肉, 牛肉, 糖, 鸡蛋, 面包, 海鲜")


CHINESE: Final = Book(
    forms=(
        signs("home", rf"(?:家)?(?:居住|住)(?:在)?(?P<v>{_NAME})(?:市|市区)?", "住"),
        signs("home", rf"(?:搬家|搬|移居)(?:到|去|至)?(?:了)?(?P<v>{_NAME})(?:市)?(?:了|住)?", "搬移"),
        signs("home", rf"家在(?P<v>{_NAME})", "家"),
        signs(
            "job", rf"(?:是|当|做|成为|成了|当上)(?:一名|一个|一位|了)?(?P<v>{_JOBS})(?:工作|了)?", "是当做成"
        ),
        signs("job", rf"(?:职业|工作)(?:是|为)(?:一名|一个|一位)?(?P<v>{_NAME})", "职工"),
        signs("job", r"(?:退休)(?:了)?", "退", value="退休"),
        signs("employer", rf"在(?P<v>{_NAME})(?:公司)?(?:上班|工作|任职|就职)", "在"),
        signs("employer", rf"(?:跳槽到|入职|加入)(?:了)?(?P<v>{_NAME})(?:公司)?(?:了)?", "跳入加"),
        signs(
            "count",
            rf"(?:家里)?(?:有|养)(?:了)?(?P<n>{_NUMBER})(?:个|只|条|匹|辆|位)?(?P<k>{_COUNTED})",
            "有养",
        ),
        signs(
            "marital",
            r"(?:是)?(?P<v>单身|已婚|未婚|离异|丧偶)(?:了)?|(?P<n>结婚|离婚|订婚)了?",
            "单已未离丧结订",
        ),
        signs("age", r"(?:今年)?(?P<n>\d{1,3})岁(?:了)?", "岁"),
        signs("allergy", rf"对(?P<v>{_NAME})(?:严重)?过敏", "过"),
        signs("allergy", rf"(?P<v>{_NAME})过敏", "过"),
        signs("speaks", r"(?:会说|说|会讲|讲|会)(?P<v>[^\s的了]{1,4}[语文话])", "说讲会"),
        signs("eating", r"(?:吃素|是素食者|是素食主义者|素食)(?:了)?", "素", value="vegetarian"),
        signs("eating", r"(?:是)?(?:纯素者|纯素食者|吃纯素)", "纯", value="vegan"),
        signs("eating", r"(?:开始)?吃(?:荤|肉)(?:了)?", "吃", value="omnivore"),
        signs("takes", r"(?:抽烟|吸烟)(?:了)?", "烟", value="smoke"),
        signs("takes", r"(?:戒烟|戒了烟|戒掉烟)(?:了)?", "烟", value="smoke", denies=True),
        signs("takes", rf"(?:开始)?(?:喝|吃)(?P<v>{_TAKEN})(?:了)?", "喝吃"),
        signs("takes", rf"(?:戒了|戒掉了?|戒)(?P<v>{_TAKEN})(?:了)?", "戒", denies=True),
        signs("wakes", r"(?:早上)?(?P<v>\d{1,2}点半?|[一二三四五六七八九十]点半?)起床", "起"),
        signs("name", rf"(?:名字是|名字叫|姓名是|叫)(?P<v>{_NAME})", "名叫姓"),
        signs("called", rf"(?:请)?叫我(?P<v>{_NAME})", "叫"),
        signs("favorite", rf"最喜欢的(?P<k>{_NAME})是(?P<v>{_NAME})", "最"),
    ),
    joints="[,，、。；]|但是?|所以|因为",
    passing="现在|目前|如今|最近|今年|去年|上个月|刚刚?|已经|又|还是?(?=住|在)|一直|平时|通常|其实|重新|再次|非常|很",
    denying="不再|不会|不是|不|没有?|从不",
    people={
        word: word
        for word in (
            "妻子",
            "老婆",
            "丈夫",
            "老公",
            "儿子",
            "女儿",
            "妈妈",
            "母亲",
            "爸爸",
            "父亲",
            "哥哥",
            "弟弟",
            "姐姐",
            "妹妹",
            "奶奶",
            "爷爷",
            "朋友",
            "上司",
            "老板",
            "同事",
            "女朋友",
            "男朋友",
            "父母",
        )
    },
    speaker="我们|我|他|她|用户",
    possessive="我的|我|他的|她的",
    leads={
        "home": "住, 搬, 家",
        "work": "工, 职, 当, 师, 生, 员, 士, 班, 司, 退",
        "children": "孩",
        "eating": "肉, 素, 荤",
        "smokes": "烟",
        "allergy": "敏",
        "favorite": "最",
    },
    kinds={
        "小孩": "孩子",
        "一": "1",
        "二": "2",
        "两": "2",
        "三": "3",
        "四": "4",
        "五": "5",
        "六": "6",
        "七": "7",
        "八": "8",
        "九": "9",
        "十": "10",
        "老师": "教师",
    },
    unspaced=True,
)
