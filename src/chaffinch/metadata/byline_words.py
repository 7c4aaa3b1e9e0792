"""Words of Chinese bylines: labels by what they announce, ranks, surnames, what is no name."""

from __future__ import annotations

from typing import Final, Literal

Role = Literal["author", "editor", "source", "published", "modified", "other"]

_LABELS: Final[dict[Role, str]] = {
    "author": ("作者 记者 記者 通讯员 通訊員 撰文 撰稿 撰稿人 文字 文 实习生 實習生 图文 文图"),
    "editor": (
        "编辑 編輯 责任编辑 責任編輯 责编 責編 编审 編審 本文编辑 网络编辑 值班编辑 执行编辑"
        " 主编 副主编 编辑组"
    ),
    "source": (
        "来源 來源 稿源 出处 出處 转自 轉自 转载自 轉載自 本文来源 文章来源 新闻来源 稿件来源"
        " 信息来源 消息来源 内容来源 本文來源 文章來源 新聞來源 稿件來源 資訊來源 原文来源"
    ),
    "published": (
        "发布时间 发布日期 发表时间 发表日期 发稿时间 发布于 发表于 发布 发表 时间 日期"
        " 發佈時間 發布時間 發佈日期 發布日期 發表時間 發佈於 發布於 發佈 發布 發表於 時間"
        " 刊登時間 刊登日期"
    ),
    "modified": (
        "更新时间 更新日期 最后更新 最后更新时间 最近更新 更新于 更新 修改时间 修改日期"
        " 最后修改 修改于 最后修订 最后编辑于 更新時間 更新於 最後更新 最後更新時間"
        " 最近更新時間 修改時間 最後修改 最后修订于 最後修訂於 最後修訂 最後編輯於"
    ),
    "other": (
        "摄影 攝影 摄 攝 图 圖 图片 圖片 视频 图片来源 圖片來源 数据来源 資料來源 资料来源"
        " 图片作者 原标题 原標題 责任校对 校对 校對 审核 審核 监制 監製 总监制 审校 阅读 閱讀"
        " 阅读量 浏览 瀏覽 浏览次数 点击 點擊 评论 評論 人气 字号 字體 字体 分享 关键词 关键字"
        " 标签 標籤 栏目 分类 分類 所属栏目 制图 绘图 设计 制作 剪辑 翻译 翻譯 译者 通讯作者"
        " 策划 統籌 统筹 版权"
    ),
}
ROLES: Final[dict[str, Role]] = {
    label: role for role, labels in _LABELS.items() for label in labels.split()
}
"""Label → what it announces; "other" are labels that end a byline's value and give no field."""
RANKS: Final = (
    "本报 本報 本网 本網 本刊 本台 本社 见习 見習 实习 實習 特约 特約 首席 高级 资深 全媒体"
    " 融媒体 驻京"
).split()
"""What may stand before 记者 and the like."""
PEN_NAMES: Final = frozenset(("作者 撰文 撰稿 撰稿人 文").split())
"""Labels before names of any length, of user accounts and organisations, too."""
PHOTOGRAPHY: Final = frozenset(("摄影 攝影").split())
"""Labels before a photographer, who is no author."""
NOBODY: Final = frozenset(
    (
        "admin 不详 互联网 佚名 作者 分享 匿名 原创 報道 实习生 小编 报社 报道 更多 未知 本刊 本报"
        " 本报记者 本站 本网 来源 查看 点击 简介 简历 管理员 網絡 編輯 综合 编辑 网友 网站 网络"
        " 記者 记者 责任编辑 转载 通讯员"
    ).split()
)
"""Words in the place of a name that name nobody."""
NO_SOURCE: Final = frozenset(
    (
        "不详 互联网 互聯網 佚名 其他 原创 未知 本站 本站原创 本网 網絡 網路 综合 网上 网友 网络"
        " 自媒体 自己 转载"
    ).split()
)
"""Words after 来源 that name no publisher."""
SURNAMES: Final = frozenset(
    "丁万丛严乐乔于井仇付仝代仲任伍何佘余佟侯保俞倪傅储党全公兰关冀冉农冯冷冼凌刁刘利劉包匡华卓"
    "单南卜卞占卢卫原古史叶司吉向吕吳吴呂周和唐商喬單喻嚴夏奚姚姜姬娄孔孙孟季孫宁安宋宗官宫寇寧"
    "封尚尤尹屈屠岑岳崔左巩巫帅师席常干庄应庞康廉廖张强彦彭徐成戚戴房揭敖文方施时明易時晏景曲曹"
    "曾木朱李杜杨林柏查柯柳柴栗栾桂桑梁梅植楊楚楼樊欧歐武段殷毕毛江池汤汪沈沙洪涂温游湯溫滕满潘"
    "焦熊燕牛牟王甄甘田申畅畢白盖盛盧瞿石祁祝秦程穆窦章童符简管簡米紀纪练缪罗羅翁翟耿聂聶肖胡臧"
    "舒艾芦花苏苑苗苟范荆荣莊莫華萧葉葛董蒋蒙蒲蓝蔡蔣蔺蕭薛藍蘇蘭虞衛衣袁裴褚覃解許詹謝譚许谈谢"
    "谭谷費賀賈賴费贺贾赖赵趙路車车辛边连迟連邓邝邢邬邱邵邹郁郎郑郜郝郭鄒鄢鄧鄭金錢鐘钟钱银閻關"
    "门闫闵闻阎阮阳陆陈陳陶陸隋雍雷霍靳鞠韋韓韦韩項顏顧项顾颜饒饶馬馮駱马骆高魏魯鮑鲁鲍麦麻黃黄"
    "黎齊齐龍龐龔龙龚"
)
"""First letters of surnames: the common ones."""
COMPOUND_SURNAMES: Final = tuple(
    "欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 慕容 司徒 皇甫 尉迟 令狐 端木".split()
)
"""Surnames of two letters."""
