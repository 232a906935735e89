"""How a person finds what a page shows, as a script that runs in the page."""

# Finds what a person sees or hears: `find(role, name, within)` returns the visible elements.
FINDING = r"""
const selectors = {
  button: "button, [role=button], summary", link: "a[href]", option: "[role=option]", heading: "h1, h2, h3, h4",
  textbox: "textarea, input:not([type]), input[type=text], input[type=search], input[type=number]",
  combobox: "select, [role=combobox]", checkbox: "input[type=checkbox]", radio: "input[type=radio]",
  slider: "[role=slider], input[type=range]", dialog: "dialog[open], [role=dialog]", listbox: "[role=listbox]",
  status: "[role=status]", alert: "[role=alert]", region: "section[aria-label], [role=region]", img: "[role=img]",
  list: "ul, ol", listitem: "li", group: "[role=group], fieldset", navigation: "nav", any: "*",
};
const plain = (text) => text.replace(/\s+/g, " ").trim();
function nameOf(element) {
  const label = element.getAttribute("aria-label");
  if (label) return plain(label);
  const ids = element.getAttribute("aria-labelledby");
  if (ids) return plain(ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
  if (element.labels?.length) return plain([...element.labels].map((one) => one.textContent).join(" "));
  if (element.matches("fieldset")) return plain(element.querySelector("legend")?.textContent ?? "");
  if (element.matches("input, select, textarea")) return plain(element.title || element.placeholder || "");
  return plain(element.innerText ?? element.textContent) || plain(element.title ?? "");
}
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
  && (element.getClientRects().length > 0 || element.ownerSVGElement);
function find(role, name, within) {
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const shown = typeof within === "string" ? [...document.querySelectorAll(within)].filter(isSeen) : null;
  if (shown) return shown.flatMap((element) => find(role, name, element));
  const root = within ?? (open?.matches(":modal") ? open : document);
  const test = name === null ? () => true
    : typeof name === "string" ? (text) => [plain(name), `${plain(name)} optional`].includes(text)
    : ((pattern) => (text) => pattern.test(text))(new RegExp(name.pattern, "u"));
  return [...root.querySelectorAll(selectors[role] ?? role)].filter((one) => isSeen(one) && test(nameOf(one)));
}
"""
