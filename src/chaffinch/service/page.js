"use strict";

// Everything that comes from a page is shown as text: nothing of it becomes markup.

const element = (id) => document.getElementById(id);

async function ask(path, body) {
  const headers = { "Content-Type": "application/json" };
  const token = element("token").value;
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const values = await response.json();
  if (!response.ok) throw new Error(values.detail || values.title);
  return values;
}

function given(text) {
  const one = text.trim();
  return /^https?:\/\/\S+$/i.test(one) ? { url: one } : { html: text };
}

function show(record, explained) {
  element("title").textContent = record.title || "(no title)";
  const facts = [record.url, record.published, record.language, record.page_type];
  element("facts").textContent = facts.filter(Boolean).join(" · ");
  element("text").textContent = record.text || "(no content)";
  element("markdown").textContent = record.markdown;
  const items = explained.blocks.filter((one) => !one.keep).map((one) => {
    const item = document.createElement("li");
    item.textContent = `${one.text} (${one.reason}; ${one.selector})`;
    return item;
  });
  element("dropped").replaceChildren(...items);
  element("result").hidden = false;
}

function choose(tab) {
  for (const one of document.querySelectorAll("[role=tab]")) {
    one.setAttribute("aria-selected", String(one === tab));
    element(one.getAttribute("aria-controls")).hidden = one !== tab;
  }
}

element("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  element("state").textContent = "Reading…";
  element("result").hidden = true;
  try {
    const body = given(element("input").value);
    const record = await ask("/v1/extract", body);
    const explained = await ask("/v1/explain", body);
    show(record, explained);
    element("state").textContent = "";
  } catch (error) {
    element("state").textContent = error.message;
  }
});

for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.addEventListener("click", () => choose(tab));
}
