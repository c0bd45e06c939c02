// The page of a dataset: changes what is shown without loading the page, reads values off the chart,
// and copies. The page that compares sources has the same charts and table. Without the script, forms and
// links do the same, except for reading and copying.
(() => {
  const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)];
  const say = text => { $("#said").textContent = text; };

  // Copying: a button is put where there is something to copy, if the browser allows it (not over plain HTTP).
  const copiers = {
    copy: at => at.parentElement.previousElementSibling.innerText,
    copyAddress: () => location.href.replace(/#.*/, ""),
    copyLink: at => at.closest("tr").querySelector("a").href,
    copyTable: at => tableText($("#t1"), at.dataset.flags),
  };
  // Numbers are copied as numbers; a period with flags has a column of them behind it.
  const tableText = (table, flags) => {
    const isFlagged = new Set($$("tbody sup", table).map(s => s.closest("td")?.cellIndex));
    return [...table.rows].map(tr => [...tr.cells].flatMap((cell, i) => {
      const copy = cell.cloneNode(true), marks = $$("sup", copy).map(s => s.textContent);
      $$("sup", copy).forEach(s => s.remove());
      const text = copy.textContent.trim();
      if (!i) return [cell.dataset.area ?? "", text];
      const isHead = cell.tagName === "TH", value = isHead ? text : text.replace(/\u202f/g, "").replace("\u2212", "-").replace("…", "");
      return isFlagged.has(i) ? [value, isHead ? text + " " + flags : marks.join(" ")] : [value];
    }).join("\t")).join("\n");
  };
  const addCopiers = root => navigator.clipboard && Object.entries(copiers).forEach(([kind, read]) => {
    const attribute = "data-" + kind.replace(/[A-Z]/g, c => "-" + c.toLowerCase());
    $$(`[${attribute}]`, root).forEach(at => {
      const button = document.createElement("button");
      button.type = "button"; button.className = at.closest(".head") ? "btn" : "btn slim"; button.textContent = at.dataset[kind];
      button.onclick = async () => {
        await navigator.clipboard.writeText(read(at));
        button.textContent = at.dataset.done; say(at.dataset.done);
        setTimeout(() => { button.textContent = at.dataset[kind]; }, 1500);
      };
      at.replaceChildren(button);
    });
  });

  // Finding in a list of choices, by labels and codes.
  let rest;
  const ask = () => { clearTimeout(rest); rest = setTimeout(() => swap(formAddress($("#pick")), "replace"), 150); };
  const addFinders = root => $$("[data-find]", root).forEach(field => {
    if (field.name) { // not all choices are in the page: the service finds
      field.oninput = () => { $(".list", field.closest("details")).scrollTop = 0; ask(); };
      return;
    }
    field.oninput = () => {
      const wanted = field.value.trim().toLowerCase();
      $$(".opt", field.closest("details")).forEach(o => {
        o.hidden = !(o.textContent + " " + o.querySelector("input").value + " " + o.querySelector(".l").title).toLowerCase().includes(wanted);
      });
      const none = $("[data-none]", field.closest("details")), isNone = $$(".opt", field.closest("details")).every(o => o.hidden);
      if (none) none.hidden = !isNone;
      clearTimeout(rest);
      field.removeAttribute("name");
      if (isNone && field.dataset.find === "country") { field.name = "find"; ask(); } // the service knows other names and codes
    };
    field.onkeydown = e => { // Enter chooses the only match
      if (e.key !== "Enter") return;
      e.preventDefault();
      const left = $$(".opt:not([hidden]) input", field.closest("details"));
      if (!field.value.trim() || left.length !== 1 || left[0].checked || left[0].disabled) return;
      field.value = "";
      field.oninput();
      left[0].click();
    };
  });

  // Changing what is shown.
  let running;
  const swap = async (address, push) => {
    running?.abort();
    const mine = running = new AbortController();
    const late = setTimeout(() => $$("[data-swap]").forEach(e => e.classList.add("wait")), 300);
    try {
      const response = await fetch(address, { signal: mine.signal, headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!$("#pick", page)) { location.href = address; return; }
      const shown = response.redirected ? response.url + new URL(address, location.href).hash : address; // a long selection has a short address
      if (push === "replace") history.replaceState(null, "", shown);
      else if (push) history.pushState(null, "", shown);
      replaceParts(page);
      say($("#pick").dataset.said);
    } catch (e) {
      if (e.name !== "AbortError") location.href = address;
    } finally {
      clearTimeout(late);
      if (running === mine) $$("[data-swap]").forEach(e => e.classList.remove("wait"));
    }
  };
  const replaceParts = page => {
    const focused = document.activeElement, places = focusPlaces(focused), selection = focused?.selectionStart;
    const lists = new Map($$("[data-keep]").map(d => [d.dataset.keep, [d.open, $(".list", d)?.scrollTop]]));
    const finders = new Map($$("[data-find]").map(f => [f.dataset.find, f.value]));
    $$("[data-swap]").forEach(old => {
      const fresh = $(`[data-swap="${old.dataset.swap}"]`, page);
      if (!fresh) return;
      for (const a of [...old.attributes]) if (!fresh.hasAttribute(a.name)) old.removeAttribute(a.name);
      for (const a of fresh.attributes) old.setAttribute(a.name, a.value);
      old.replaceChildren(...fresh.childNodes);
      start(old);
    });
    $$("[data-keep]").forEach(d => {
      const [open, top] = lists.get(d.dataset.keep) ?? [d.open, 0];
      d.open = open;
      if (top) $(".list", d).scrollTop = top;
    });
    $$("[data-find]:not([name])").forEach(f => { f.value = finders.get(f.dataset.find) ?? ""; if (f.value) f.oninput(); });
    for (const find of places) {
      const again = find();
      again?.focus({ preventScroll: true });
      if (!again || document.activeElement !== again) continue;
      if (selection != null && again.type === "text") again.setSelectionRange(selection, selection);
      break;
    }
  };
  // Where the focus goes when its element is replaced, the nearest first: to the same field or link; to the link with the same words,
  // whose address may be another one; into the same list; to the table or chart of the same part.
  const focusPlaces = e => {
    if (!e?.closest("[data-swap]")) return [];
    const part = `[data-swap="${e.closest("[data-swap]").dataset.swap}"]`, list = e.closest("[data-keep]")?.dataset.keep;
    const places = [];
    if (e.name) places.push(() => $(`#pick [name="${CSS.escape(e.name)}"]` + (/radio|checkbox/.test(e.type) ? `[value="${CSS.escape(e.value)}"]` : "")));
    if (e.dataset.find) places.push(() => $(`[data-find="${e.dataset.find}"]`));
    if (e.tagName === "A") {
      const address = e.getAttribute("href"), words = e.textContent, period = e.closest("[data-p]")?.dataset.p;
      places.push(() => $(`${part} a[href="${CSS.escape(address)}"]`), () => period ? $(`${part} th[data-p="${period}"] a`) : list ? null : $$(`${part} a`).find(a => a.textContent === words));
    }
    if (list) places.push(...["input:checked", "input:enabled", "summary"].map(s => () => $(`[data-keep="${list}"] ${s}`)));
    if (e.tagName === "BUTTON" && e.closest("#pick")) places.push(() => $("#pick button"));
    return [...places, () => $(`${part} [tabindex="0"]`), () => $(`${part} a, ${part} button`)];
  };
  const formAddress = form => {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    return form.getAttribute("action") + (query.size ? "?" + query : "") + (location.hash === "#pick" ? "#pick" : "");
  };
  addEventListener("change", e => { if (e.target.closest("#pick") && e.target.name && !e.target.dataset.find) swap(formAddress($("#pick")), true); });
  addEventListener("submit", e => { if (e.target.id === "pick") { e.preventDefault(); swap(formAddress(e.target), true).then(showFigure); } });
  addEventListener("click", e => {
    const a = e.target.closest("[data-swap] a");
    if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || a.origin !== location.origin || a.pathname !== location.pathname) return;
    if (a.hash && a.search === location.search) return;
    e.preventDefault();
    const elsewhere = a.hash && !a.closest(a.hash) ? a.hash : null;
    swap(a.href, true).then(() => { if (elsewhere) { $(elsewhere).scrollIntoView(); $("pre", $(elsewhere))?.focus({ preventScroll: true }); } });
  });
  // What was drawn anew is brought into view if it is not.
  const showFigure = () => {
    const figure = $('[data-swap="figure"]'), { top } = figure?.getBoundingClientRect() ?? { top: 0 };
    if (top < 0 || top > innerHeight / 2) figure.scrollIntoView();
  };
  addEventListener("popstate", () => swap(location.href, false));

  // Reading values off a chart. Places come from the picture, values from the table, so that both agree;
  // those of series that the table does not have come from the picture too.
  const cellText = cell => cell.textContent.trim();
  const order = text => { const v = parseFloat(text.replace(/[\s\u202f]/g, "").replace("\u2212", "-").replace(",", ".")); return Number.isNaN(v) ? -Infinity : v; };
  // A series is a row of the table, or a column whose head has its name. Heads have the number of their chart if there are several.
  const headOf = cell => $("#t1").tHead.rows[0].cells[cell.cellIndex];
  const nameOf = cell => headOf(cell).dataset.name ?? cellText(cell.closest("tr").cells[0]);
  const unitOf = cell => cell && headOf(cell).dataset.unit; // its own, if offices publish several multiples of one unit
  const sizeOf = cell => order(cellText(cell)) * 10 ** (headOf(cell).dataset.power ?? 0);
  const tableValues = (period, chart) => $$(`#t1 tbody [data-p="${period}"]`).filter(c => !chart || headOf(c).dataset.of === chart)
    .map(c => [nameOf(c), cellText(c), c]).sort((a, b) => sizeOf(b[2]) - sizeOf(a[2]));
  const pictureValues = (svg, at) => $$("g.series[data-v]", svg.closest("[data-chart]")).map(g => [g.dataset.name, g.dataset.v.split(" ")[at]]).filter(([, v]) => v && v !== "-").sort((a, b) => order(b[1]) - order(a[1])).map(([name, v]) => [name, numberText(v, decimalOf(svg))]);
  const decimalOf = svg => svg.closest("[data-decimal]")?.dataset.decimal ?? ".";
  const light = (periods, area) => {
    $$("#t1 .at").forEach(c => c.classList.remove("at"));
    if (periods) $$(`#t1 [data-p="${periods}"]`).forEach(c => { if (!area || c.closest("tr").cells[0].dataset.area === area) c.classList.add("at"); });
  };
  // besides returns the left edge of a box of a width that ends at left or begins at right, where there is room.
  const besides = (left, right, width, room) => {
    const isLeft = left + right > room ? left >= width || right + width > room : left >= width && right + width > room;
    return Math.max(0, Math.min(isLeft ? left - width : right, room - width));
  };
  let readers = [];
  const addReader = box => {
    const svg = $$("svg", box).find(s => s.getBoundingClientRect().width);
    if (!svg) return;
    const plot = $("g.plot[data-x]", svg);
    const points = plot ? linePoints(svg, plot) : markPoints(svg);
    if (!points.length) return;
    const tip = document.createElement("div");
    tip.className = "read"; tip.hidden = true; box.append(tip);
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    line.setAttribute("class", "hair-x");
    let at = -1;
    const show = (i, aloud) => {
      const point = points[i];
      if (!point) return;
      const values = point.values();
      if (!values.length) return;
      at = i;
      if (plot) { line.setAttribute("x1", point.x); line.setAttribute("x2", point.x); line.setAttribute("y1", point.top); line.setAttribute("y2", point.bottom); svg.append(line); }
      fill(tip, point.period, values, box.dataset.unit);
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width, x = point.x * scale;
      tip.style.top = Math.max(0, plot ? 6 : point.top * scale - 20) + "px";
      tip.style.left = besides(x - 14, x + 14, tip.offsetWidth, box.clientWidth) + "px";
      light(point.period, point.area);
      if (aloud) say(point.period + ": " + spoken(values) + (box.dataset.unit ? ", " + box.dataset.unit : ""));
    };
    const hide = () => { at = -1; tip.hidden = true; line.remove(); light(); };
    box.onpointermove = box.onpointerdown = e => {
      const m = svg.getScreenCTM().inverse(), x = m.a * e.clientX + m.e, y = m.d * e.clientY + m.f;
      show(nearest(points, x, y, plot), false);
    };
    box.onblur = hide;
    box.onpointerleave = e => { if (e.pointerType !== "touch") hide(); }; // a tap stays until the next one
    box.onkeydown = e => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
      if (step) { e.preventDefault(); show(at < 0 ? (step > 0 && !plot ? 0 : points.length - 1) : Math.min(Math.max(at + step, 0), points.length - 1), true); }
      const end = { Home: 0, End: points.length - 1 }[e.key];
      if (end !== undefined) { e.preventDefault(); show(end, true); }
      if (e.key === "Escape") hide();
    };
    readers.push({ box, show: period => show(points.findIndex(p => p.period === period), false), hide });
  };
  const textOfPeriod = code => code.split("-").reverse().join("/").replace(/^S/, "H"); // SDMX has 2024-01-31 and 2024-S1, pages 31/01/2024 and H1/2024
  const linePoints = (svg, plot) => {
    const xs = plot.dataset.x.split(" ").map(Number), [, top, , height] = plot.dataset.box.split(" ").map(Number);
    const box = svg.closest("[data-chart]"), { p, period: written = p } = $("g.plot[data-p]", box).dataset;
    const lines = $$("g.series[data-v]", box).map(g => g.dataset.v.split(" "));
    return written.split(" ").map(textOfPeriod).map((period, i) => ({
      period, x: xs[i], top, bottom: top + height,
      values: () => { const known = tableValues(period, box.dataset.chart); return known.length ? known : pictureValues(svg, i); },
    })).filter((point, i) => lines.some(values => values[i] && values[i] !== "-")); // an axis that charts share can begin before the first value
  };
  const markPoints = svg => $$("[data-v][data-p]", svg).filter(m => m.tagName === "rect" || m.tagName === "path").map(m => {
    const box = m.getBBox(), { p, period = textOfPeriod(p), v, area, name } = m.dataset;
    const row = $(`#t1 [data-area="${area}"]`)?.closest("tr"), cell = row && $(`[data-p="${period}"]`, row);
    return { period, area, x: box.x + box.width, top: box.y, bottom: box.y + box.height, left: box.x, values: () => [[name, cell ? cellText(cell) : numberText(v, decimalOf(svg)), cell]] };
  });
  const nearest = (points, x, y, plot) => {
    let best = -1, least = Infinity;
    points.forEach((p, i) => {
      const away = plot ? Math.abs(p.x - x) : Math.max(p.top - y, y - p.bottom, 0) * 1000 + Math.max(p.left - x, x - p.x, 0);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  };
  const fill = (tip, period, values, unit) => {
    const table = document.createElement("table");
    table.createCaption().textContent = $(`#t1 th[data-p="${period}"]`)?.textContent.trim() || period;
    values.forEach(([name, value, cell]) => {
      const row = table.insertRow(), head = document.createElement("th"), isolated = document.createElement("bdi");
      isolated.textContent = name; head.append(isolated); row.append(head);
      if (unitOf(cell)) {
        const own = document.createElement("span");
        own.className = "tiny"; own.textContent = unitOf(cell);
        head.append(document.createElement("br"), own);
      }
      row.insertCell().append(...cell ? cell.cloneNode(true).childNodes : [value]); // with its flags, as in the table
    });
    const below = document.createElement("p");
    below.className = "tiny"; below.textContent = unit ?? "";
    tip.replaceChildren(table, below); tip.hidden = false;
  };
  const spoken = values => values.map(([name, value, cell]) => [name, ...cell ? [...cell.childNodes].map(n => n.textContent.trim()) : [value], ...unitOf(cell) ? [unitOf(cell)] : []].join(" ")).join(", ");
  const numberText = (number, decimal) => {
    const [whole, fraction] = number.replace("-", "\u2212").split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (fraction ? decimal + fraction : "");
  };
  // Reading values off a map. Maps are pictures in the page; the outlines of the areas are fetched when a reader points at one, and lie
  // over the picture without being seen.
  const addMapReader = box => {
    let source, layer, points = [], at = -1;
    const tip = document.createElement("div");
    tip.className = "read"; tip.hidden = true; box.append(tip);
    const hide = () => { points[at]?.outline.classList.remove("at"); at = -1; tip.hidden = true; light(); };
    const load = async () => {
      const shown = $$("img", box).find(i => i.checkVisibility());
      if (!shown || shown.src === source) return;
      source = shown.src;
      hide(); layer?.remove(); points = [];
      const response = await fetch(source.replace(/png$/, "svg")), text = await response.text();
      if (!response.ok || shown.src !== source) return;
      layer = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
      layer.setAttribute("class", "over"); layer.setAttribute("aria-hidden", "true");
      points = $$("[data-v]", layer).map(outline => {
        const title = $("title", outline)?.textContent ?? "", period = textOfPeriod(outline.closest("[data-p]").dataset.p);
        return { outline, period, name: title.replace(/, [^,]*: [^:]*$/, "") || outline.dataset.name, value: outline.dataset.v };
      }).sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang));
      $$("title, desc, defs", layer).forEach(e => e.remove()); // their ids may be those of others, and the browser would show titles too
      box.append(layer);
    };
    const show = (i, aloud) => {
      const point = points[i];
      if (!point) return;
      hide(); at = i;
      const row = $$("#t1 tbody tr").find(tr => cellText(tr.cells[0]) === point.name), cell = row && $(`[data-p="${point.period}"]`, row);
      const values = [[point.name, cell ? cellText(cell) : numberText(point.value, box.dataset.map), cell]];
      point.outline.classList.add("at");
      fill(tip, point.period, values, box.dataset.unit);
      const area = point.outline.getBoundingClientRect(), whole = box.getBoundingClientRect();
      tip.style.top = Math.min(Math.max(0, area.top - whole.top), whole.height - tip.offsetHeight) + "px";
      tip.style.left = besides(area.left - whole.left - 10, area.right - whole.left + 10, tip.offsetWidth, whole.width) + "px";
      if (row) light(point.period, row.cells[0].dataset.area);
      if (aloud) say(point.period + ": " + spoken(values) + (box.dataset.unit ? ", " + box.dataset.unit : ""));
    };
    const center = e => { const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };
    const pointed = e => { // the area there, else a small one nearby
      const i = points.findIndex(p => p.outline === document.elementFromPoint(e.clientX, e.clientY));
      if (i >= 0) return i;
      const away = points.map(p => { const [x, y] = center(p.outline); return Math.hypot(x - e.clientX, y - e.clientY); });
      const least = Math.min(...away);
      return least < 14 ? away.indexOf(least) : -1;
    };
    box.onpointermove = box.onpointerdown = async e => { await load(); const i = pointed(e); if (i >= 0) show(i, false); else hide(); };
    box.onpointerleave = e => { if (e.pointerType !== "touch") hide(); };
    box.onblur = hide;
    box.onkeydown = async e => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
      if (step) { e.preventDefault(); await load(); show(at < 0 ? (step > 0 ? 0 : points.length - 1) : Math.min(Math.max(at + step, 0), points.length - 1), true); }
      const end = { Home: 0, End: points.length - 1 }[e.key];
      if (end !== undefined) { e.preventDefault(); await load(); show(end ? points.length - 1 : 0, true); }
      if (e.key === "Escape") hide();
    };
  };
  addEventListener("pointerover", e => {
    const cell = e.target.closest?.("#t1 tbody [data-p]");
    if (cell) readers.forEach(r => r.show(cell.dataset.p));
    else if (e.target.closest?.("#t1")) readers.forEach(r => r.hide());
  });
  let width = innerWidth < 761;
  addEventListener("resize", () => { if (width !== (width = innerWidth < 761)) { readers = []; $$(".read").forEach(t => t.remove()); $$("[data-chart]").forEach(addReader); } });

  const start = root => { addCopiers(root); addFinders(root); if ($("[data-chart]", root)) readers = []; $$("[data-chart]", root).forEach(addReader); $$("[data-map]", root).forEach(addMapReader); };
  start(document);
})();
