"use strict";
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

/** An element. Text goes into text nodes only: names and evidence come from strangers. */
function make(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = clean(text);
  return e;
}
function put(e, text) { const t = clean(text); if (e.textContent !== t) e.textContent = t; }
/** Without what cannot be seen, and turns around or hides what can. */
function clean(text) { return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd"); }
// ---- words and numbers

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const count = n => n < 1e7 ? whole.format(n) : compact.format(n);
/** A text that does not break between a number and its unit, or in "5 × 403". */
const tied = text => text.replace(/(?<=\d) (?=(?:ms|s|min|h|d|failed|rejected|requests?|cooldowns?)\b|×)|(?<=×) /g, "\u00a0");
const few = (n, one) => count(n) + " " + one + (n === 1 ? "" : "s");
function decimal(n) { return n === 0 ? "0" : n >= 100 ? count(Math.round(n)) : String(+n.toPrecision(n >= 10 ? 3 : 2)); }
/** A rate in the unit in which it is no tiny fraction. */
function rate(n) { return n === 0 || n >= 0.1 ? decimal(n) + "/s" : n >= 0.1 / 60 ? decimal(n * 60) + "/min" : decimal(n * 3600) + "/h"; }
function span(ms) {
  if (ms <= 0) return "0 s";
  if (ms < 95) return Math.max(1, Math.round(ms)) + " ms";
  if (ms < 9950) return +(ms / 1000).toFixed(1) + " s";
  const s = Math.round(ms / 1000);
  if (s < 60) return s + " s";
  if (s < 3600) return Math.floor(s / 60) + " min" + (s % 60 ? " " + s % 60 + " s" : "");
  return s < 86400 ? Math.floor(s / 3600) + " h " + Math.floor(s % 3600 / 60) + " min"
      : count(Math.floor(s / 86400)) + " d " + Math.floor(s % 86400 / 3600) + " h";
}
/** What a clock shows while it counts down. */
function clock(ms) {
  const s = Math.ceil(ms / 1000), two = n => String(n).padStart(2, "0");
  return s < 60 ? s + " s"
      : s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60)
      : s < 172800 ? Math.floor(s / 3600) + ":" + two(Math.floor(s % 3600 / 60)) + ":" + two(s % 60)
    : Math.floor(s / 86400) + " days";
}
function ago(at) { const ms = Date.now() - at; return ms < 1500 ? "just now" : span(Math.floor(ms / 1000) * 1000) + " ago"; }
function timeOf(at) {
  const date = new Date(at);
  return (date.toDateString() === new Date().toDateString() ? ""
      : date.toLocaleDateString("en-GB", { day: "numeric", month: "short" }) + " ") + date.toLocaleTimeString("en-GB");
}

const STATES = { open: "open", denied: "denied", cooling_down: "cooldown", probing: "probing", circuit_open: "rejecting",
    lifetime_blocked: "blocked for good" };
const REASONS = { cloudflare_challenge: "Cloudflare challenge", captcha: "captcha", bot_wall: "bot wall",
    "403_forbidden": "403 Forbidden", "429_rate_limited": "429 Too Many Requests",
    blank_page: "blank page", soft_block: "soft block", server_overload: "server overloaded", timeout: "timeout",
    connection_error: "connection failed",
  rate_limit_exceeded: "requests rejected again and again", window_exceeded: "requests rejected again and again",
  concurrency_limit_exceeded: "requests rejected again and again", operator: "by an operator",
  fleet: "blocked in another program", page_budget: "cooldown before a block" };
const SHORT = { cloudflare_challenge: "Cloudflare", captcha: "captcha", bot_wall: "bot wall", "403_forbidden": "403",
    "429_rate_limited": "429", blank_page: "blank", soft_block: "soft" };
const plain = state => state.replace("would_", "");
const WOULD = { would_cooling_down: "would be in cooldown", would_probing: "would be probing",
    would_circuit_open: "would reject", would_lifetime_blocked: "would be blocked for good" };
const stateText = k => k.reason === "operator" && plain(k.state) === "cooling_down"
    ? k.state === plain(k.state) ? "paused" : "would be paused"
    : WOULD[k.state] || STATES[k.state] || k.state;
const reasonText = reason => REASONS[reason] || String(reason || "").replace(/_/g, " ");

// ---- one host's row

/** Statuses and numbers of answers, most answers first, from a list where they take turns. */
function pairs(list) {
  const all = [];
  for (let i = 0; i < list.length; i += 2) all.push([list[i], list[i + 1]]);
  return all.sort((a, b) => b[1] - a[1]);
}
function parse(r) {
  const blocks = r[17];
  let blocked = 0;
  for (const type in blocks) blocked += blocks[type];
  return { name: r[0], state: r[1], reason: r[2], left: r[3], now: r[4], rate: r[5], burst: r[6], learned: r[7], waiting: r[8],
    active: r[9], total: r[10], waitMs: r[11], rejected: r[12], cooldowns: r[13], cooldownMs: r[14], inARow: r[15], last: r[16],
    failed: r[18], overloads: r[19], delayed: r[20], failures: r[18] + r[19], blocks, blocked, each: r[10] ? r[11] / r[10] : 0,
    longest: r[21], sent: r[22], inFlight: r[23], answers: pairs(r[24]),
    held: !["open", "denied"].includes(plain(r[1])) };
}
/** Of what was sent, in per cent. */
const blockedShare = k => k.blocked ? +(100 * k.blocked / Math.max(k.sent, k.blocked)).toPrecision(2) + " %" : "";
/** Answers by their status, most first. */
const answersText = k => k.answers.map(([status, n]) => count(n) + "\u00a0×\u00a0" + status).join(", ");
function types(k) {
  return Object.keys(k.blocks).sort((a, b) => k.blocks[b] - k.blocks[a]).map(t => count(k.blocks[t]) + " × " + (SHORT[t] || t)).join(", ");
}
/** Blocks by their types, and what else went wrong. */
function wrong(k) {
  return [types(k), k.failed ? count(k.failed) + " failed" : "",
      k.overloads ? count(k.overloads) + " × 5xx" : ""].filter(t => t).join(", ");
}
const limitText = k => rate(k.rate) + (k.learned && k.learned < k.rate ? " → " + rate(k.learned) : "")
    + (k.inFlight ? ", " + count(k.inFlight) + " in flight" : "");
const rejectedText = k => k.rejected ? count(k.rejected) + " rejected" : "";
/** A host's name that may break after a dot or a hyphen, and a key likewise. */
function breakable(e, name) {
  e.replaceChildren(...clean(name).split(/(?<=[.-])/).flatMap(part => [part, make("wbr")]));
  return e;
}
function tile(id, value, note) {
  const e = $(id);
  if (e.dataset.shown === value + note) return;
  e.dataset.shown = value + note;
  e.textContent = value;
  if (note) e.append(" ", make("small", "", note));
}


function showSettings(settings) {
  const isDefault = s => s[2] === "default";
  const ordered = settings.filter(s => !isDefault(s)).concat(settings.filter(isDefault)); // as "check" does
  $("settings").replaceChildren(...ordered.map(([key, value, source]) => {
    const row = make("tr", source === "default" ? "" : "set");
    const name = make("th");
    name.scope = "row";
    name.append(breakable(make("code"), key));
    const held = make("td");
    held.append(make("code", "", value));
    row.append(name, held, make("td", "soft", source));
    return row;
  }));
}
const UNCOUNTED = "“Does not count”: the request was sent before the last pause began, or detect.ignore names the block, "
    + "or the answer is a permission error (403 with JSON or XML).";
function verdictItem(v) {
  const item = make("li"), what = breakable(make("div", "what"), v.key), proof = make("div", "proof");
  const status = v.status && v.evidence !== "status " + v.status ? " · status " + v.status : "";
  proof.append(make("b", "", reasonText(v.type)), status, v.vendor ? " · " + clean(v.vendor) : "", v.rule ? " · rule " : "");
  if (v.rule) proof.append(make("code", "", v.rule));
  if (v.evidence) proof.append(" · ", make("bdi", "", v.evidence));
  proof.append(v.counts ? " · " + v.consecutive + " in a row" : " · does not count");
  const where = make("div");
  where.append(what, make("div", "url", v.url));
  item.append(make("time", "soft", timeOf(v.time)), where, proof);
  return item;
}
/** What Tempolimit has to do with this program no more than to count it. */
function leftOutText(n) {
  return n ? few(n, "more request") + " not paced: exclude or include " + (n === 1 ? "leaves it" : "leave them") + " out." : "";
}
function unseenText(n, hosts) {
  return n ? few(n, "more request") + " not paced, for Tempolimit does not weave what sends them: "
    + hosts.slice(0, 10).map(h => h.host + " (" + count(h.requests) + ", by " + h.by + ")").join(", ")
    + (hosts.length > 10 ? " and " + few(hosts.length - 10, "more host") : "") + "." : "";
}
function note(id, text) { put($(id), text); $(id).classList.toggle("hidden", !text); }

// ---- what happened over the time

const WIDTH = 600, HIGH = 40;
/** A slot that ended late tells of more than its width, and one that has just begun of less. */
const perSecond = (h, n, i) => n * 1000 / Math.max(1000, h.span_ms[i]);
const LANES = [
  { title: "Requests", of: (h, i) => perSecond(h, h.requests[i], i), say: rate, className: "requests" },
  { title: "Blocks", of: (h, i) => h.blocks[i], say: (n, h) => count(n) + " in " + span(h.slot_ms), className: "blocks" },
  { title: "Wait per request", of: (h, i) => h.wait_ms[i] / Math.max(1, h.requests[i]), say: span, className: "waits" },
];
const COOLING = { title: "Hosts in cooldown", of: (h, i) => h.span_ms[i] ? h.cooldown_ms[i] / h.span_ms[i] : 0,
  say: n => count(Math.max(1, Math.round(n))), className: "cooling" };

/** How many slots each one tells of: those at whose ends the program was too busy to look are told of by the one before them. */
function reach(h) {
  const missed = i => i < h.span_ms.length - 1 && h.span_ms[i] === 0;
  return h.span_ms.map((_, i) => {
    let next = i + 1;
    while (missed(next)) next++;
    return next - i;
  });
}
/** Bars of so many slots, the last of which is the newest. */
function bars(h, values, most, slots) {
  const wide = WIDTH / slots, from = slots - values.length, wider = reach(h);
  return values.map((v, i) => v > 0 ? "M" + ((from + i) * wide + wide * .1).toFixed(1) + " " + HIGH
      + "v" + (-Math.max(1.5, v / most * (HIGH - 2))).toFixed(1) + "h" + (wide * (wider[i] - .2)).toFixed(1)
      + "V" + HIGH + "z" : "").join("");
}
/** Where a host was in cooldown. */
function shade(h, slots) {
  const wide = WIDTH / slots, from = slots - h.requests.length, wider = reach(h);
  return h.cooldown_ms.map((ms, i) => ms > 0 ? "M" + ((from + i) * wide).toFixed(1) + " 0h" + (wide * wider[i]).toFixed(1) + "v" + HIGH
      + "h" + (-wide * wider[i]).toFixed(1) + "z" : "").join("");
}
function draw2d(className) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", className);
  return path;
}
function plane() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + HIGH);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  return svg;
}

/**
 * @param axis texts below: of the data
 * @param when what a slot is called: of the data and its number
 */
function newChart(root, lanes, axis, when) {
  const chart = { lanes: [], caption: make("span"), hour: null, axis, when };
  for (const lane of lanes) {
    const row = make("div", "lane"), svg = plane(), shaded = draw2d("shade"), path = draw2d(lane.className),
        cursor = document.createElementNS(SVG, "rect"), most = make("span", "most");
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("height", HIGH);
    cursor.setAttribute("x", -WIDTH);
    svg.append(shaded, cursor, path);
    row.append(make("span", "label", lane.title), svg, most);
    root.append(row);
    chart.lanes.push({ lane, svg, path, shaded, cursor, most });
    svg.onpointermove = e => point(chart, (e.clientX - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width);
    svg.onpointerleave = () => point(chart, -1);
  }
  const below = make("div", "axis");
  below.append(make("i"), chart.caption);
  root.append(below);
  return chart;
}
/** @param slots how many the chart is wide; shaded: whether it is one host's, whose cooldowns lie behind the bars */
function drawChart(chart, hour, slots, shaded) {
  chart.hour = hour;
  chart.slots = slots;
  for (const { lane, svg, path, shaded: behind, cursor, most: max } of chart.lanes) {
    const values = hour.requests.map((_, i) => lane.of(hour, i)), most = Math.max(0, ...values);
    path.setAttribute("d", bars(hour, values, most, slots));
    behind.setAttribute("d", shaded ? shade(hour, slots) : "");
    cursor.setAttribute("width", WIDTH / slots);
    put(max, most ? "max " + lane.say(most, hour) : "none");
    svg.setAttribute("aria-label", lane.title + ": at most " + lane.say(most, hour) + ", at last "
        + lane.say(values[values.length - 1] || 0, hour));
  }
  if (!chart.pointed) point(chart, -1);
}
function point(chart, part) {
  const hour = chart.hour, slots = chart.slots;
  if (!hour) return;
  const at = Math.floor(part * slots), i = at - slots + hour.requests.length;
  chart.pointed = part >= 0 && i >= 0 && i < hour.requests.length;
  for (const { cursor } of chart.lanes) cursor.setAttribute("x", chart.pointed ? at * WIDTH / slots : -WIDTH);
  chart.caption.replaceChildren(...chart.pointed
    ? [make("b", "", chart.when(hour, i) + ": " + few(hour.requests[i], "request") + ", " + few(hour.blocks[i], "block")
        + ", " + span(LANES[2].of(hour, i)) + " waited each"
        + (hour.cooldown_ms[i] && chart.lanes.length > LANES.length ? ", " + COOLING.say(COOLING.of(hour, i)) + " in cooldown" : ""))]
    : chart.axis(hour, slots).map(t => make("span", "", t)));
}
