// Send a message and show the answer as it comes. Text is only ever set as text.
"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const log = one("#log");
  const box = one("#log-box");
  const form = one("#composer");
  const field = one("#message");
  const send = one("#send");
  const stop = one("#stop");
  const MEMORY = /remember|recall|forget|search|memor|list_|share|read_|save_/;
  let running = null;

  const made = (name) => one(`#t-${name}`).content.firstElementChild.cloneNode(true);
  const near = () => box.scrollHeight - box.scrollTop - box.clientHeight < 120;
  const down = () => box.scrollTo({ top: box.scrollHeight });
  const add = (element) => {
    const follow = near();
    log.append(element);
    if (follow) down();
    return element;
  };
  const announce = (text) => {
    one("#said").textContent = text;
  };
  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  // ---- what others say meanwhile: the server tells when there is more than was seen
  const seen = (revision) => {
    const state = one("#state");
    const fresh = state.cloneNode(true);
    fresh.setAttribute("hx-get", `${state.dataset.address}?seen=${revision}`);
    state.replaceWith(fresh);
    htmx.process(fresh);
  };
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (running && event.detail.elt.closest("#state, #log")) event.preventDefault();
  });
  let followed = false;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === log) followed = near();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== log) return;
    if (log.children.length) one("#chat-empty")?.remove();
    if (followed) down();
  });

  // ---- one turn on the page
  class Turn {
    constructor(message) {
      this.message = message;
      this.aborter = new AbortController();
      this.tools = new Map();
      this.usedMemory = false;
      this.over = false;
      one("#chat-empty")?.remove();
      this.said = made("user");
      one(".words", this.said).textContent = message;
      add(this.said);
      this.answer = null;
    }

    words() {
      if (!this.answer) this.answer = add(made("assistant"));
      return one(".words", this.answer);
    }

    on(kind, data) {
      const follow = near();
      switch (kind) {
        case "turn":
          this.words();
          break;
        case "delta":
          this.words().append(data.text);
          break;
        case "tool_call": {
          const tool = made("tool");
          one(".tool-name", tool).textContent = data.name;
          one(".tool-told", tool).textContent = data.arguments;
          one(".tool-arguments", tool).textContent = pretty(data.arguments);
          this.tools.set(data.call_id, tool);
          if (this.answer && !one(".words", this.answer).textContent) log.insertBefore(tool, this.answer);
          else {
            this.settled();
            log.append(tool);
          }
          if (MEMORY.test(data.name)) this.usedMemory = true;
          break;
        }
        case "tool_result": {
          const tool = this.tools.get(data.call_id);
          if (!tool) break;
          const state = one(".tool-state", tool);
          if (data.done) state.remove();
          else {
            state.textContent = "not done";
            state.classList.add("warn");
          }
          one(".tool-output", tool).textContent = pretty(data.output);
          break;
        }
        case "done":
          this.over = true;
          this.words().textContent = data.text;
          this.settled();
          one("#talk-menu").hidden = false;
          seen(data.revision);
          announce(`Answer: ${data.text}`);
          break;
        case "failed":
          this.over = true;
          this.failed("The turn failed.", data.detail || data.title || "");
          break;
        case "cancelled":
          this.over = true;
          this.failed("Stopped.", "");
          break;
      }
      if (follow) down();
    }

    settled() {
      if (!this.answer) return;
      this.answer.classList.remove("pending");
      one(".slot-told", this.answer).textContent = "just now";
      if (!one(".words", this.answer).textContent) this.answer.remove();
      this.answer = null;
    }

    failed(title, detail) {
      this.answer?.remove();
      for (const tool of this.tools.values()) one(".tool-state", tool)?.remove();
      this.said.classList.add("lost");
      const failure = made("failed");
      one(".slot-title", failure).textContent = title;
      one(".slot-detail", failure).textContent = detail;
      one(".retry", failure).addEventListener("click", () => {
        for (const each of [this.said, failure, ...this.tools.values()]) each.remove();
        play(this.message);
      });
      add(failure);
      one(".retry", failure).focus();
      announce(`${title} ${detail}`);
    }
  }

  // ---- the stream
  async function* events(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const kind = /^event: (.+)$/m.exec(block)?.[1];
        const data = /^data: (.+)$/m.exec(block)?.[1];
        if (kind && data) yield [kind, JSON.parse(data)];
      }
    }
  }

  const headers = () => ({
    accept: "text/event-stream",
    "content-type": "application/x-www-form-urlencoded",
    ...JSON.parse(document.body.getAttribute("hx-headers") || "{}"),
  });

  async function play(message) {
    if (running) return;
    const turn = (running = new Turn(message));
    down();
    busy(true);
    try {
      const body = new URLSearchParams({ message });
      const response = await fetch(form.action, {
        method: "POST",
        headers: headers(),
        body,
        signal: turn.aborter.signal,
      });
      if (response.ok) {
        for await (const [kind, data] of events(response)) turn.on(kind, data);
        if (!turn.over) turn.failed("The connection broke off.", "The turn may still go on: load the page again.");
      } else {
        const problem = await response.json().catch(() => ({}));
        turn.failed("The turn failed.", problem.detail || `The server answered ${response.status}.`);
      }
    } catch {
      turn.failed("The server does not answer.", "Look whether it runs, then try again.");
    } finally {
      running = null;
      busy(false);
    }
    htmx.trigger(document.body, "session-changed");
    if (turn.usedMemory) htmx.trigger(document.body, "memory-changed");
  }

  const busy = (is) => {
    send.hidden = is;
    stop.hidden = !is;
    log.setAttribute("aria-busy", String(is));
    if (!is && document.activeElement === document.body) field.focus();
  };

  const cancel = async () => {
    stop.disabled = true;
    try {
      await fetch(form.dataset.cancel, { method: "POST", headers: headers() });
    } finally {
      stop.disabled = false;
    }
  };

  // ---- the form
  const take = (message) => {
    if (!message.trim() || running) return;
    field.value = "";
    play(message);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    take(field.value);
  });
  one(".tries")?.addEventListener("submit", (event) => {
    event.preventDefault();
    take(event.submitter.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && running && !one("dialog[open]")) cancel();
  });
  stop.addEventListener("click", cancel);
  down();
})();
