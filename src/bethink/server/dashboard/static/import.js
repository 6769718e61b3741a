// Upload files in pieces, and show how far an import is. Text is only ever set as text.
"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const TRIES = 5;
  const headers = (more) => ({
    accept: "application/json",
    ...JSON.parse(document.body.getAttribute("hx-headers") || "{}"),
    ...more,
  });
  const pause = (seconds) => new Promise((go) => setTimeout(go, seconds * 1000));
  const announce = (text) => {
    one("#said").textContent = text;
  };

  const wrong = (where, text) => {
    const told = one(where);
    told.textContent = text;
    told.hidden = false;
  };

  // Ask, and ask again where the server is busy or a connection breaks off.
  async function asked(address, options) {
    for (let tried = 1; ; tried++) {
      let answer = null;
      try {
        answer = await fetch(address, options);
      } catch (error) {
        if (tried === TRIES) throw new Error("The server does not answer. Look whether it runs, then try again.");
      }
      if (answer?.ok) return answer;
      if (answer && (![429, 503].includes(answer.status) || tried === TRIES)) {
        const problem = await answer.json().catch(() => ({}));
        throw new Error(problem.detail || `The server answered ${answer.status}.`);
      }
      await pause(Number(answer?.headers.get("retry-after")) || tried);
    }
  }

  // ---- the upload
  const form = one("#upload");
  async function upload(files) {
    const way = one("#upload-way");
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const piece = Number(form.dataset.piece);
    one("#upload-wrong").hidden = true;
    try {
      if (!files.length) throw new Error("Choose a file first: a folder has to be packed into a zip archive.");
      if (files.length > Number(form.dataset.mostFiles)) throw new Error("These are too many files: pack them into one zip archive.");
      if (size > Number(form.dataset.most)) throw new Error("These files are too large: import them beside the server, with `bethink import`.");
      way.hidden = false;
      form.setAttribute("aria-busy", "true");
      announce("Uploading");
      const begun = await asked(form.dataset.begin, {
        method: "POST",
        headers: headers({ "content-type": "application/x-www-form-urlencoded" }),
        body: new URLSearchParams({ size }),
      });
      const { address } = await begun.json();
      let sent = 0;
      for (const file of files) {
        for (let at = 0; at < file.size || at === 0; at += piece) {
          const body = file.slice(at, at + piece);
          await asked(`${address}/files?${new URLSearchParams({ name: file.name, at })}`, {
            method: "PUT",
            headers: headers({ "content-type": "application/octet-stream" }),
            body,
          });
          sent += body.size;
          const done = size ? Math.round((100 * sent) / size) : 100;
          one("#upload-bar").value = done;
          one("#upload-told").textContent = `${done} % uploaded`;
        }
      }
      one("#upload-told").textContent = "Uploaded. Looking at what is in it …";
      announce("Uploaded. Looking at what is in it.");
      location.assign(address);
    } catch (error) {
      way.hidden = true;
      wrong("#upload-wrong", error.message);
      one("#file").focus();
    } finally {
      form.removeAttribute("aria-busy");
    }
  }
  if (form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      upload([...one("#file").files]);
    });
    const drop = one("#drop");
    const over = (is) => drop.classList.toggle("over", is);
    for (const kind of ["dragenter", "dragover"]) {
      document.addEventListener(kind, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        over(true);
      });
    }
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) over(false);
    });
    document.addEventListener("drop", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      over(false);
      upload([...event.dataTransfer.files].filter((file) => file.size || file.type));
    });
  }

  // ---- the import
  const start = one("#import");
  async function* events(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        yield [/^event: (.+)$/m.exec(block)?.[1], JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? "{}")];
      }
    }
  }
  start?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = start.querySelector("button");
    button.disabled = true;
    one("#import-wrong").hidden = true;
    one("#import-way").hidden = false;
    announce("Importing");
    try {
      const answer = await fetch(start.action, {
        method: "POST",
        headers: headers({ accept: "text/event-stream", "content-type": "application/x-www-form-urlencoded" }),
        body: new URLSearchParams(new FormData(start)),
      });
      if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).detail || `The server answered ${answer.status}.`);
      for await (const [kind, data] of events(answer)) {
        if (kind === "progress") one("#import-told").textContent = `${data.done.toLocaleString()} entries are in`;
        if (kind === "failed") throw new Error(data.detail);
        if (kind === "over") return location.assign(data.address);
      }
      throw new Error("The connection broke off. Import it again: what is in already is not doubled.");
    } catch (error) {
      one("#import-way").hidden = true;
      button.disabled = false;
      wrong("#import-wrong", error instanceof TypeError ? "The connection broke off. Import it again: what is in already is not doubled." : error.message);
    }
  });
})();
