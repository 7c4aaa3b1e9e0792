// Texts of the view of one page.

export const PAGE = {
  "page.title": { en: "Page", zh: "网页" },
  "page.untitled": { en: "Page without a title", zh: "无标题网页" },
  "page.frame": { en: "The page", zh: "网页" },
  "page.blocks": { en: "Blocks", zh: "文本块" },
  "page.kept": { en: "kept", zh: "保留" },
  "page.dropped": { en: "dropped", zh: "去除" },
  "page.summary": {
    en: "{kept} of {count} blocks kept, {length} characters",
    zh: "保留 {kept} / {count} 个文本块，共 {length} 字符",
  },
  "page.column.decision": { en: "Decision", zh: "判定" },
  "page.column.score": { en: "Score", zh: "得分" },
  "page.column.text": { en: "Text", zh: "文本" },
  "page.column.element": { en: "Element", zh: "元素" },
  "page.keys": { en: "Page", zh: "网页" },
  "page.key.next": { en: "Mark the next block", zh: "标记下一个文本块" },
  "page.key.previous": { en: "Mark the block before", zh: "标记上一个文本块" },
  "page.key.choose": { en: "Show why", zh: "显示原因" },
};
