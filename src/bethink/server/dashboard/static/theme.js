// Put on the theme that was chosen, before anything is painted; without a choice the system decides.
"use strict";
(() => {
  const KEY = "bethink-theme";
  let chosen = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {
    // A browser that keeps nothing goes by the system.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
