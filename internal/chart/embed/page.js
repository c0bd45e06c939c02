
(() => {
  "use strict";
  const box = document.getElementById("chart"), tip = document.getElementById("tip"), svg = box.querySelector("svg");

  // Texts of a picture that is wider than its frame would be too small. The picture is loaded again as one of the size of the
  // frame, unless its address says a size.
  const fitFrame = () => {
    const address = new URL(location), query = address.searchParams, isFitted = address.hash === "#fitted";
    const scale = innerWidth / svg.viewBox.baseVal.width;
    if (!innerWidth || query.get("embed") !== "html" || !isFitted && (query.has("width") || query.has("height")) || scale > 0.8 && !(isFitted && scale > 1.25)) return;
    const least = 320, most = 720, round = pixels => Math.floor(pixels / 20) * 20, width = Math.max(least, round(innerWidth));
    ["width", "height"].forEach(name => query.delete(name));
    address.hash = "";
    if (width < most) {
      query.set("width", width);
      query.set("height", Math.min(Math.max(260, round(width * innerHeight / innerWidth)), 1000));
      address.hash = "fitted";
    }
    if (address.href !== location.href) location.replace(address);
  };
  addEventListener("resize", fitFrame);
  fitFrame();

  const unit = box.dataset.unit;
  const flagNames = {A: "", ...JSON.parse(box.dataset.flags)};
  const list = (e, name) => (e.getAttribute(name) || "").split(" ");

  // Long lists are written in shorter forms: numbers as differences without the point, flags as
  // runs, days as the days since the day before, and even positions as the first and the last.
  const decimal = (n, places) => {
    if (!places) return String(n);
    const digits = String(Math.abs(n)).padStart(places + 1, "0");
    return (n < 0 ? "-" : "") + (digits.slice(0, -places) + "." + digits.slice(-places)).replace(/\.?0+$/, "");
  };
  const numbers = (e, name) => {
    if (!e.hasAttribute(name + "d")) return list(e, name);
    const [places, ...steps] = e.getAttribute(name + "d").match(/x|-?\d+/g);
    let sum = 0;
    return steps.map(step => step === "x" ? "-" : decimal(sum += +step, +places));
  };
  const runs = (e, name) => list(e, name).flatMap(run => { const [, value, n] = /^(.*?)(?:\*(\d+))?$/.exec(run); return Array(+(n || 1)).fill(value); });
  const day = 864e5;
  const periods = e => {
    if (!e.hasAttribute("data-days")) return list(e, "data-p");
    const [first, steps] = list(e, "data-days");
    let at = Date.parse(first);
    return [first, ...[...steps].map(step => new Date(at += parseInt(step, 36) * day).toISOString().slice(0, 10))];
  };
  const positions = (e, codes) => {
    const at = list(e, "data-x").map(Number), [from, to] = at;
    if (at.length === codes.length) return at;
    const times = codes.map((code, i) => e.hasAttribute("data-days") ? Date.parse(code) : i), last = times[times.length - 1];
    return times.map(t => from + (to - from) * (t - times[0]) / (last - times[0]));
  };

  // A number with all published digits, in the language of the page.
  const {thousands, point, least, percent} = JSON.parse(box.dataset.numbers);
  const number = text => {
    const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(text) || [0, "", "", text];
    return sign.replace("-", "\u2212") + (whole.length >= least ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole) + rest.replace(".", point);
  };
  const flags = text => (text || "-").split(",").map(f => f === "-" ? "" : flagNames[f] ?? f).filter(f => f).join(", ");

  const range = (low, high) => [low, high].some(v => !v || v === "-") ? "" : number(low) + (/^-/.test(low) || /^-/.test(high) ? " \u2013 " : "\u2013") + number(high);
  // What is known of a value beside its number.
  const details = r => [range(r.low, r.high), flags(r.flags)].filter(t => t).join(", ");

  // Elements with values, in order. Others say by numbers in this list to which they belong:
  // texts, rows and columns of bars, and further marks of a line or an area.
  const marks = [...svg.querySelectorAll("[data-v],[data-vd]")];
  const isOfMark = "[data-v],[data-vd],[data-of]";
  const marksOf = e => e.hasAttribute("data-of") ? list(e, "data-of").map(i => marks[i]) : [e];

  // Stops are what the arrow keys go through: {title, rows, x, y, plot, marks}. A row is
  // {name, value, low, high, flags, colour}.
  const centre = e => { const b = e.getBBox(); return {x: b.x + b.width / 2, y: b.y + b.height / 2}; };
  const stops = [], plots = [];
  svg.querySelectorAll("g.plot").forEach(g => {
    const [x, y, w, h] = list(g, "data-box").map(Number);
    if (!g.hasAttribute("data-x")) { // as in the first
      const [first] = plots;
      plots.push({...first, x, y, w, h, lines: [], at: first.at.map(at => at - first.x + x)});
      return;
    }
    const codes = periods(g);
    plots.push({x, y, w, h, lines: [], codes, at: positions(g, codes), names: g.hasAttribute("data-period") ? list(g, "data-period") : codes.map(c => c.split("-").reverse().join("/"))});
  });
  const isOfLines = marks.some(mark => mark.matches("g")), stopOf = new Map();
  if (isOfLines) {
    marks.forEach(g => {
      const mark = g.lastElementChild, colour = [mark.getAttribute("stroke"), mark.getAttribute("fill")].find(c => c && c !== "none");
      plots[g.dataset.plot || 0].lines.push({group: g, name: g.dataset.name, values: numbers(g, "data-v"), low: numbers(g, "data-low"), high: numbers(g, "data-high"), flags: runs(g, "data-f"), colour, isGrey: g.classList.contains("context")});
    });
    plots.forEach(p => p.codes.forEach((code, i) => {
      if (p.lines.some(l => (l.values[i] ?? "-") !== "-")) stops.push({plot: p, index: i, title: p.names[i], x: p.at[i], y: p.y});
    }));
  } else {
    marks.forEach(mark => {
      const of = attribute => mark.closest("[" + attribute + "]")?.getAttribute(attribute) || "";
      const name = mark.dataset.name || "", period = of("data-period") || of("data-p"), fill = of("fill");
      const stop = {name, period, title: [name, period].filter(t => t).join(", "), marks: [mark], ...centre(mark), rows: [{name: "", value: mark.dataset.v, flags: mark.dataset.f, colour: fill.startsWith("url") ? "" : fill}]};
      stopOf.set(mark, stop);
      stops.push(stop);
    });
    svg.querySelectorAll("path[data-of],circle[data-of]").forEach(part => stopOf.get(marksOf(part)[0]).marks.push(part));
  }
  if (!stops.length) return;

  const cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
  cursor.setAttribute("class", "cursor");
  const maxLines = 16; // up to which grey ones are listed
  let current = -1, over = null; // the line under the pointer

  const rowsOf = stop => {
    if (stop.rows) return stop.rows;
    const rows = [];
    stop.plot.lines.forEach(l => {
      const value = l.values[stop.index] ?? "-", isOver = l.group === over;
      if (isOver || value !== "-" && (!l.isGrey || stop.plot.lines.length <= maxLines)) rows.push({name: l.name, value, low: l.low[stop.index], high: l.high[stop.index], flags: l.flags[stop.index], colour: l.colour, isOver});
    });
    const rank = r => r.value === "-" ? -Infinity : +r.value;
    return rows.sort((a, b) => rank(b) > rank(a) ? 1 : rank(b) < rank(a) ? -1 : 0);
  };
  const withUnit = value => value === "-" ? box.dataset.none : number(value) + (unit === "%" ? percent : "");
  const inWords = stop => {
    const rows = rowsOf(stop).map(r => [r.name, withUnit(r.value), details(r) && "(" + details(r) + ")"].filter(t => t).join(" "));
    return stop.title + ": " + rows.join(", ") + (unit && unit !== "%" ? " (" + unit + ")" : "");
  };
  const element = (name, text) => { const e = document.createElement(name); e.textContent = text; return e; };
  const fill = stop => {
    const table = document.createElement("table");
    if (stop.title) table.append(element("caption", stop.title));
    rowsOf(stop).forEach(r => {
      const row = table.insertRow(), name = element(r.isOver ? "b" : "span", r.name), head = document.createElement("th");
      if (r.colour) { const key = document.createElement("i"); key.style.background = r.colour; head.append(key); }
      head.append(name);
      row.append(head, element("td", withUnit(r.value)));
      if (details(r)) row.lastChild.append(" ", element("small", details(r)));
    });
    tip.replaceChildren(table);
    if (unit && unit !== "%") tip.append(element("small", unit));
  };
  // Rows that do not fit are counted instead, but that of the line under the pointer stays.
  const fit = height => {
    const {rows} = tip.firstChild, more = element("small", "");
    more.className = "more";
    for (let n = 1; tip.offsetHeight > height && rows.length > 1; n++) {
      rows[[...rows].findIndex(r => r.querySelector("b")) * 2 >= rows.length ? 0 : rows.length - 1].remove();
      more.textContent = box.dataset.more.replace("%s", n);
      tip.firstChild.after(more);
    }
  };
  const clear = () => svg.querySelectorAll(".at").forEach(m => m.classList.remove("at"));
  const show = stop => {
    current = stops.indexOf(stop.first || stop);
    const m = svg.getScreenCTM(), frame = box.getBoundingClientRect();
    clear();
    if (stop.plot) {
      for (const [name, value] of [["x1", stop.x], ["x2", stop.x], ["y1", stop.plot.y], ["y2", stop.plot.y + stop.plot.h]]) cursor.setAttribute(name, value);
      svg.append(cursor);
    } else stop.marks.forEach(mark => mark.classList.add("at"));
    fill(stop);
    tip.hidden = false;
    tip.style.left = 0; // so that its size is not that of the last place
    fit(frame.height);
    const x = m.a * stop.x + m.e - frame.left, y = m.d * stop.y + m.f - frame.top;
    const left = x + 14 + tip.offsetWidth < frame.width ? x + 14 : x - 14 - tip.offsetWidth;
    tip.style.left = Math.max(0, left) + "px";
    tip.style.top = Math.max(0, Math.min(y, frame.height - tip.offsetHeight)) + "px";
    box.setAttribute("aria-valuenow", current + 1);
    box.setAttribute("aria-valuetext", inWords(stop));
  };
  const hide = () => { tip.hidden = true; cursor.remove(); clear(); over = null; };

  // A slider is what screen readers know to have values that arrow keys change.
  const attributes = {role: "slider", tabindex: 0, "aria-label": document.title, "aria-valuemin": 1, "aria-valuemax": stops.length, "aria-valuenow": stops.length, "aria-valuetext": inWords(stops[stops.length - 1])};
  for (const name in attributes) box.setAttribute(name, attributes[name]);
  svg.setAttribute("focusable", "false");

  // The period nearest to a place: in the plot of the line under the pointer, else in any.
  const nearest = (x, y) => {
    let best, least = Infinity;
    stops.forEach(s => {
      const outside = plots.length > 1 ? Math.max(0, s.plot.y - y, y - s.plot.y - s.plot.h) * 1000 : 0, d = Math.abs(s.x - x) + outside;
      if (d < least && (!over || s.plot.lines.some(l => l.group === over))) { least = d; best = s; }
    });
    return best;
  };
  const isIn = (px, py, x, y, w, h) => px >= x && px < x + w && py >= y && py < y + h;
  // The marks of the bars in whose row or column a place is.
  const slots = (svg.querySelector("g.slots")?.dataset.slots || "").split(";").map(slot => slot.split(" ").map(Number));
  const marksAt = (x, y) => (slots.find(slot => isIn(x, y, ...slot)) || []).slice(4).map(i => marks[i]);
  // The number at a place: some browsers find only the strokes of its digits.
  const numberAt = (x, y) => [...svg.querySelectorAll("text[data-of]")].find(text => {
    const b = text.getBoundingClientRect();
    return isIn(x, y, b.x, b.y, b.width, b.height);
  });
  // Several bars that are shown together.
  const together = all => {
    const [first] = all, isSame = all.every(s => s.period === first.period), mean = k => all.reduce((sum, s) => sum + s[k], 0) / all.length;
    if (all.length === 1) return first;
    return {first, title: isSame ? first.period : "", marks: all.flatMap(s => s.marks), x: mean("x"), y: mean("y"), rows: all.map(s => ({...s.rows[0], name: isSame ? s.name : s.title}))};
  };
  const pointAt = event => {
    const m = svg.getScreenCTM(), x = (event.clientX - m.e) / m.a, y = (event.clientY - m.f) / m.d;
    const e = event.target.closest?.(isOfMark) || numberAt(event.clientX, event.clientY), of = e ? marksOf(e) : marksAt(x, y);
    if (isOfLines) {
      over = of[0];
      show(nearest(x, y));
    } else if (of.length) show(together(of.map(mark => stopOf.get(mark))));
    else hide();
  };
  const on = (type, listener) => box.addEventListener(type, listener);
  on("pointermove", pointAt);
  on("pointerdown", pointAt);
  on("pointerleave", e => { if (e.pointerType === "mouse") hide(); });
  on("blur", hide);
  addEventListener("pointerdown", e => { if (!box.contains(e.target)) hide(); });
  on("keydown", e => {
    const last = stops.length - 1, page = Math.max(1, Math.round(last / 10)), from = current < 0 ? last : current;
    const to = {ArrowLeft: from - 1, ArrowDown: isOfLines ? from - 1 : from + 1, ArrowRight: from + 1, ArrowUp: isOfLines ? from + 1 : from - 1, PageUp: from + page, PageDown: from - page, Home: 0, End: last}[e.key];
    if (e.key === "Escape") hide();
    if (to === undefined) return;
    e.preventDefault();
    over = null;
    show(stops[Math.max(0, Math.min(last, current < 0 && e.key.startsWith("Arrow") ? last : to))]);
  });
})();
