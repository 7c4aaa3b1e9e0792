// Texts of the view of two pages side by side.

export const BESIDE = {
  "beside.title": { en: "Two versions", zh: "两个版本" },
  "beside.lead": {
    en: "See what of the content was added, removed and changed between two versions of a page.",
    zh: "查看网页两个版本之间正文的增加、删除与修改。",
  },
  "beside.a": { en: "Earlier version", zh: "较早版本" },
  "beside.b": { en: "Later version", zh: "较晚版本" },
  "beside.rendered": { en: "As a browser made it", zh: "浏览器渲染后" },
  "beside.open": { en: "Compare", zh: "比较" },
  "beside.alone": { en: "Inspect", zh: "检查" },
  "beside.changes": { en: "Changes", zh: "变化" },
  "beside.count": { en: "Changes of the content: {count}", zh: "正文变化：{count} 处" },
  "beside.added": { en: "added", zh: "增加" },
  "beside.removed": { en: "removed", zh: "删除" },
  "beside.changed": { en: "changed", zh: "修改" },
  "beside.with.rendered": { en: "Beside the rendered page", zh: "与渲染后的网页对照" },
  "beside.with.other": { en: "Beside another version", zh: "与另一版本对照" },
};
