// Answers below the search field while somebody types. Without it the form searches.
(() => {
  const rest = 80, least = 2; // milliseconds without a key, letters
  document.querySelectorAll("input[data-suggest]").forEach(input => {
    const form = input.form, box = form.querySelector(".sug"), status = form.querySelector("[role=status]");
    let timer, request, at = -1, asked = "";
    const set = (name, value) => value === null ? input.removeAttribute(name) : input.setAttribute(name, value);
    const options = () => [...box.querySelectorAll("[role=option]")];
    const close = () => {
      clearTimeout(timer); request?.abort(); at = -1; asked = "";
      box.hidden = true; set("aria-expanded", "false"); set("aria-activedescendant", null);
    };
    const choose = n => {
      const all = options(); if (!all.length) return;
      at = (n + all.length + 1) % (all.length + 1); // one more than there are: no choice
      if (at === all.length) at = -1;
      all.forEach((o, i) => o.setAttribute("aria-selected", i === at));
      set("aria-activedescendant", all[at]?.id ?? null);
      all[at]?.scrollIntoView({ block: "nearest" });
    };
    const ask = async () => {
      const q = input.value.trim();
      if ([...q].length < least) return close();
      if (q === asked && !box.hidden) return;
      request?.abort(); request = new AbortController(); // the last request wins
      try {
        const r = await fetch(input.dataset.suggest + "?q=" + encodeURIComponent(q), { signal: request.signal });
        if (!r.ok) return close();
        box.innerHTML = await r.text();
      } catch (e) { return; }
      asked = q; at = -1;
      if (!options().length) { close(); status.textContent = ""; return; }
      box.hidden = false; set("aria-expanded", "true"); set("aria-activedescendant", null);
      status.textContent = box.querySelector("[data-say]")?.dataset.say ?? "";
    };
    for (const [name, value] of [["role", "combobox"], ["aria-expanded", "false"], ["aria-controls", "sug"], ["aria-autocomplete", "list"]]) set(name, value);
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, rest); });
    input.addEventListener("keydown", e => {
      if (e.isComposing) return;
      if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        if (box.hidden) return ask();
        choose(at < 0 && e.key === "ArrowUp" ? options().length - 1 : at + (e.key === "ArrowDown" ? 1 : -1));
      } else if (e.key === "Escape" && !box.hidden) { e.preventDefault(); close(); }
    });
    form.addEventListener("focusout", e => { if (!form.contains(e.relatedTarget)) close(); });
    form.addEventListener("submit", e => {
      const choice = box.hidden ? null : options()[at];
      if (choice) { e.preventDefault(); location.href = choice.href; } else close();
    });
    box.addEventListener("pointerdown", e => e.preventDefault()); // the field keeps the focus
    addEventListener("pageshow", close);
  });
})();
