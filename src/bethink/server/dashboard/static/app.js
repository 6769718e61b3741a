// What every page does by itself: theme, keys, menus, and what htmx cannot say in attributes.
"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // ---- what needs a script is hidden until there is one
  for (const each of all(".script-only")) each.hidden = false;

  one(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // ---- buttons
  const dark = () => {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const deeds = {
    theme() {
      const next = dark() ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      try {
        localStorage.setItem("bethink-theme", next);
      } catch {
        // It holds for this page alone.
      }
    },
    keys() {
      one("#keys").showModal();
    },
    dismiss(button) {
      button.closest(".problem").remove();
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-does]");
    if (button) deeds[button.dataset.does](button);
    for (const menu of all("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
  });

  // ---- keys
  let waiting = false; // for what follows "g"
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const escape = (target) => {
    const open = one("details.menu[open]");
    if (open) {
      open.open = false;
      one("summary", open).focus();
    } else if (typing(target)) target.blur();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") return escape(event.target);
    if (typing(event.target) || one("dialog[open]")) return;
    if (waiting) {
      waiting = false;
      const link = one(`.nav [data-key="${CSS.escape(event.key)}"]`);
      if (link) link.click();
      return;
    }
    const field = { "/": "[data-search]", c: "[data-compose]" }[event.key];
    if (field) {
      const found = all(field).find((each) => each.checkVisibility() || each.closest("details:not([open])"));
      if (!found) return;
      event.preventDefault();
      const fold = found.closest("details:not([open])");
      if (fold) fold.open = true;
      found.focus();
    } else if (event.key === "g") {
      waiting = true;
      setTimeout(() => (waiting = false), 3000);
    } else if (event.key === "?") deeds.keys();
  });

  // ---- htmx
  const said = (text) => {
    one("#said").textContent = text;
  };
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (xhr.status < 200 || xhr.status >= 400) return;
    if (elt.matches("form[data-clears]")) elt.reset();
    if (elt.matches("form")) one("#flash").replaceChildren();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    const to = xhr.getResponseHeader("HX-Retarget");
    if (xhr.status >= 400 && to === "#flash") one("#flash").scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const told = one(".gone, .done", event.detail.elt);
    if (told) said(told.textContent.trim());
  });
  document.addEventListener("htmx:sendError", () => unreachable());
  const unreachable = () => {
    const told = document.createElement("p");
    told.className = "problem";
    told.textContent = "The server does not answer. Look whether it runs, then try again.";
    one("#flash").replaceChildren(told);
  };
})();
