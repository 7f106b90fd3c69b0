// The outbox's page: it only uses the HTTP API beside it, and writes texts as texts, never as html.

const $ = (id) => document.getElementById(id);

const GROUPS = [
  { label: "Accepted", states: ["ACCEPTED"] },
  { label: "Rendering", states: ["INTAKING"] },
  { label: "Ready", states: ["READY"] },
  { label: "Sending", states: ["PROCESSING"] },
  { label: "Failed", states: ["FAILED", "CALLING-FAILED-CALLBACK", "FAILED-ACKNOWLEDGED"], bad: true },
  { label: "Invalid", states: ["INVALID", "CALLING-INVALID-CALLBACK", "INVALID-ACKNOWLEDGED"], bad: true },
  { label: "Sent here", states: ["SENT", "CALLING-SENT-CALLBACK", "SENT-ACKNOWLEDGED"], sent: true },
];

const TONES = {
  ACCEPTED: "wait", READY: "wait", INTAKING: "busy", PROCESSING: "busy",
  SENT: "good", FAILED: "bad", INVALID: "bad",
};

const ACTIVITIES = {
  RUNNING: ["good", "Running"],
  PAUSED: ["wait", "Paused"],
  STORE_UNAVAILABLE: ["bad", "Store unavailable"],
  STOPPED: ["wait", "Only storing"],
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PAGE = 50;

let viewer = { personalData: false, acts: false, inbox: false };
let route = { view: "emails", item: "", params: new URLSearchParams() };
let emails = newSearch("");
let shown = { id: "", stamp: "", content: "" };
let letter = "";

/** The state of one search: its emails, and why the API rejected it. */
function newSearch(key) {
  return { key, list: [], next: null, answered: false, rejected: "" };
}

// --- small things

function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || "The server answered " + status);
    this.status = status;
    this.field = problem.field;
  }
}

async function api(path, options = {}) {
  const response = await fetch("api/" + path, {
    credentials: "same-origin",
    ...options,
    headers: { Accept: "application/json", "Outbox-Action": "page", ...options.headers },
  });
  if (!response.ok) {
    throw new ApiError(response.status, await response.json().catch(() => ({})));
  }
  return response.status === 204 ? null : response.json();
}

const post = (path, body) =>
  api(path, body === undefined
    ? { method: "POST" }
    : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

const number = new Intl.NumberFormat();
const count = (entry) => number.format(entry.count) + (entry.bound ? "+" : "");

function tone(state) {
  if (state.startsWith("CALLING") || state.endsWith("ACKNOWLEDGED")) {
    return state.includes("SENT") ? "good" : "bad";
  }
  return TONES[state] || "";
}

const badge = (state) => el("span", { class: "badge " + tone(state) }, state);

function ago(text) {
  const seconds = Math.max(0, (Date.now() - Date.parse(text)) / 1000);
  if (seconds < 10) return "just now";
  if (seconds < 60) return Math.floor(seconds) + " s ago";
  if (seconds < 3600) return Math.floor(seconds / 60) + " min ago";
  if (seconds < 86400) return Math.floor(seconds / 3600) + " h ago";
  return new Date(text).toLocaleDateString();
}

const full = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

function clock(text) {
  const date = new Date(text);
  const today = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString(undefined, {
    hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hour12: false,
  });
  return today ? time : date.toLocaleDateString() + " " + time;
}

const when = (text) => el("time", { datetime: text, title: full(text) }, ago(text));

const person = (entry) => (entry.name ? entry.name + " <" + entry.address + ">" : entry.address);
const people = (list) => (list || []).map(person).join(", ");

function toast(text) {
  const box = $("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { box.hidden = true; }, 4000);
}

function trouble(error) {
  const box = $("trouble");
  box.hidden = !error;
  if (!error) return;
  if (!(error instanceof ApiError)) box.textContent = "The server cannot be reached. Trying again…";
  else if (error.status === 403) box.textContent = "The access rule does not let you do this: " + error.message + ".";
  else if (error.status === 503) box.textContent = "The store is unavailable. Trying again…";
  else box.textContent = error.message + ".";
}

/** Runs something that asks the server, and tells what went wrong. */
async function attempt(work) {
  try {
    const result = await work();
    trouble(null);
    return result;
  } catch (error) {
    trouble(error);
    return undefined;
  }
}

function confirmed(title, text, yes) {
  $("confirm-title").textContent = title;
  $("confirm-text").textContent = text;
  $("confirm-yes").textContent = yes;
  const dialog = $("confirm");
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

// --- where we are

function read() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "emails", item = ""] = path.split("/");
  const known = ["emails", "failures", "inbox"].includes(view) && (view !== "inbox" || viewer.inbox);
  route = { view: known ? view : "emails", item, params: new URLSearchParams(query) };
}

function address(view, item, params) {
  const query = params.toString();
  return "#/" + view + (item ? "/" + item : "") + (query ? "?" + query : "");
}

function go(view, item = "", params = new URLSearchParams()) {
  location.hash = address(view, item, params);
}

async function show() {
  read();
  for (const tab of document.querySelectorAll("[data-tab]")) {
    if (tab.dataset.tab === route.view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  for (const view of ["emails", "failures", "inbox"]) $(view).hidden = view !== route.view;
  $("figures").hidden = route.view === "inbox";
  document.body.classList.toggle("reading", route.item !== "");
  document.querySelectorAll(".split").forEach((split) => split.classList.toggle("reading", route.item !== ""));
  if (route.view === "emails") {
    await Promise.all([listEmails(true), openEmail(false)]);
  } else if (route.view === "failures") {
    await listFailures();
  } else {
    await Promise.all([listLetters(), openLetter()]);
  }
}

// --- figures

async function figures() {
  const stats = await api("stats");
  const selected = route.params.get("state") || "";
  const tiles = GROUPS.map((group) => {
    const entries = group.states.map((state) => stats.states[state]).filter(Boolean);
    const total = { count: entries.reduce((sum, each) => sum + each.count, 0), bound: entries.some((each) => each.bound) };
    const text = group.sent ? number.format(stats.node.sent) : count(total);
    const states = group.states.join(",");
    return { group, text, states, pressed: selected === states && route.view === "emails", some: total.count > 0 };
  });
  const box = $("tiles");
  if (!box.children.length) {
    box.append(...tiles.map((tile) =>
      el("button", { class: "tile", type: "button", onclick: () => filterBy(tile.states) },
        el("b"), el("span", {}, tile.group.label))));
  }
  tiles.forEach((tile, index) => {
    const button = box.children[index];
    button.firstChild.textContent = tile.text;
    button.setAttribute("aria-pressed", tile.pressed);
    button.className = "tile" + (tile.group.bad ? " bad" : "") + (tile.some ? " some" : "");
  });
  spark(stats.throughput);
  const [colour, words] = ACTIVITIES[stats.node.status] || ["wait", stats.node.status];
  $("dot").className = "dot " + colour;
  const late = stats.backlogSeconds >= 60 ? ", oldest waits " + Math.floor(stats.backlogSeconds / 60) + " min" : "";
  $("activity").textContent = words + late;
}

function filterBy(states) {
  const params = new URLSearchParams(route.view === "emails" ? route.params : "");
  if (params.get("state") === states && route.view === "emails") params.delete("state");
  else params.set("state", states);
  params.delete("code");
  go("emails", "", params);
}

function spark(throughput) {
  const line = (values, top) =>
    values.map((value, i) => (i ? "L" : "M") + (i * 240 / (values.length - 1)).toFixed(1) + " " + (42 - 40 * value / top).toFixed(1)).join("");
  const top = Math.max(5, ...throughput.sent, ...throughput.failed);
  const trace = line(throughput.sent, top);
  const shape = (name, path) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", "path");
    node.setAttribute("class", name);
    node.setAttribute("d", path);
    return node;
  };
  const parts = [shape("area", trace + "L240 44L0 44Z"), shape("trace", trace)];
  if (throughput.failed.some((value) => value > 0)) parts.unshift(shape("trace bad", line(throughput.failed, top)));
  $("spark").replaceChildren(...parts);
  $("spark-total").textContent = number.format(throughput.sent.reduce((sum, value) => sum + value, 0));
}

// --- the list

/** Turns what was typed, and the filters, into the API's parameters. */
function criteria() {
  const params = new URLSearchParams();
  for (const name of ["state", "code"]) {
    if (route.params.get(name)) params.set(name, route.params.get(name));
  }
  const seconds = Number(route.params.get("since") || 0);
  if (seconds) params.set("since", new Date(Date.now() - seconds * 1000).toISOString());
  for (const word of (route.params.get("q") || "").split(/\s+/).filter(Boolean)) {
    const [, name, value] = word.match(/^(tag|template):(.+)$/) || [];
    if (name) params.set(name, value);
    else params.set("recipient", word);
  }
  return params;
}

async function listEmails(fromStart) {
  const typed = route.params.get("q") || "";
  if (document.activeElement !== $("query")) $("query").value = typed;
  $("since").value = route.params.get("since") || "";
  filtersLine();
  if (UUID.test(typed.trim())) {
    go("emails", typed.trim().toLowerCase());
    return;
  }
  const key = route.params.toString();
  const changed = key !== emails.key;
  if (changed) emails = newSearch(key);
  const limit = fromStart && !changed ? Math.min(1000, Math.max(PAGE, emails.list.length)) : PAGE;
  const params = criteria();
  params.set("limit", limit);
  const page = await pageOf(params);
  if (!page) return;
  const known = new Set(emails.list.map((email) => email.id));
  const fresh = changed || !emails.list.length ? new Set() : new Set(page.emails.map((email) => email.id).filter((id) => !known.has(id)));
  emails.list = page.emails;
  emails.next = page.next;
  drawEmails(fresh);
}

/** Returns a page of the current search, or null if there is none or another search has begun. */
async function pageOf(params) {
  const asking = emails;
  try {
    const page = await api("emails?" + params);
    if (asking !== emails) return null;
    trouble(null);
    emails.answered = true;
    emails.rejected = "";
    return page;
  } catch (error) {
    if (asking !== emails) return null;
    if (error instanceof ApiError && (error.status === 400 || (error.status === 403 && error.field))) {
      emails = newSearch(asking.key);
      emails.rejected = (error.field ? error.field + ": " : "") + error.message;
    } else {
      trouble(error);
    }
    drawEmails(new Set());
    return null;
  }
}

async function older() {
  const params = criteria();
  params.set("limit", PAGE);
  params.set("after", emails.next);
  const page = await pageOf(params);
  if (!page) return;
  emails.list = emails.list.concat(page.emails);
  emails.next = page.next;
  drawEmails(new Set());
}

function filtersLine() {
  const parts = [];
  const states = route.params.get("state");
  const group = GROUPS.find((each) => each.states.join(",") === states);
  if (states) parts.push(group ? group.label.replace(" here", "") : states);
  if (route.params.get("code")) parts.push(route.params.get("code"));
  const line = $("filters");
  line.hidden = !parts.length;
  line.replaceChildren("Only: " + parts.join(", "), el("button", { type: "button", onclick: () => go("emails") }, "Show all"));
}

function drawEmails(fresh) {
  draw($("rows"), emails.list, (email) => email.id, (email) => {
    const to = email.erased ? "(erased)" : people(email.to.length ? email.to : [...email.cc, ...email.bcc]);
    return [
      el("span", { class: "who" }, to),
      when(email.created),
      el("span", { class: "what" }, email.erased ? "personal data was taken away" : email.subject || (email.template ? "template " + email.template : "no subject yet")),
      badge(email.state),
    ];
  }, (email) => address("emails", email.id, route.params), route.item, fresh);
  const rejected = $("rejected");
  rejected.hidden = !emails.rejected;
  if (emails.rejected) {
    const text = "This search was rejected: " + emails.rejected + ". Change it and search again.";
    if (rejected.textContent !== text) rejected.textContent = text; // an alert is read out when it changes
  }
  const empty = $("empty");
  empty.hidden = emails.list.length > 0 || !emails.answered;
  empty.textContent = route.params.toString()
    ? "No email fits." + (viewer.personalData ? " Recipients are found by their whole address." : "")
    : "No email has been stored yet. The first one will appear here by itself.";
  $("more").hidden = !emails.next;
}

/** Brings a list up to date without touching rows that stay, so that focus and scrolling stay too. */
function draw(box, items, keyOf, cells, href, current, fresh) {
  const old = new Map([...box.children].map((row) => [row.dataset.key, row]));
  const keys = new Set(items.map((item) => String(keyOf(item))));
  for (const [key, row] of old) if (!keys.has(key)) row.remove();
  let place = box.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let row = old.get(key);
    if (!row) {
      row = el("li", { "data-key": key }, el("a", { class: "row" }));
      if (fresh.has(key)) row.firstChild.classList.add("fresh");
    }
    const link = row.firstChild;
    link.setAttribute("href", href(item));
    if (key === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.replaceChildren(...cells(item));
    if (row === place) place = place.nextElementSibling;
    else box.insertBefore(row, place);
  }
}

// --- one email

async function openEmail(live) {
  const box = $("detail");
  box.classList.toggle("vacant", !route.item);
  if (!route.item) {
    shown = { id: "", stamp: "", content: "" };
    box.replaceChildren(el("p", { class: "hint" }, "Choose an email to see its way and its content."));
    return;
  }
  const id = route.item;
  let email;
  try {
    email = await api("emails/" + encodeURIComponent(id));
  } catch (error) {
    if (route.item !== id) return;
    if (error instanceof ApiError && error.status === 404) {
      shown = { id, stamp: "", content: "" };
      box.replaceChildren(back(), el("p", { class: "hint" }, "There is no email with this id, or its retention has ended."));
    } else {
      trouble(error);
    }
    return;
  }
  if (route.item !== id) return;
  const stamp = email.updated + email.state + email.history.length + email.erased;
  if (shown.id === id && shown.stamp === stamp) return;
  const content = String(email.content) + email.contentProblem + email.erased;
  const keeps = shown.id === id && shown.content === content;
  const kept = keeps ? box.querySelector(".content") : null;
  shown = { id, stamp, content };
  box.replaceChildren(...overview(email), kept || contentOf(email));
  if (!live) box.scrollTop = 0;
}

const back = () => el("button", { class: "back", type: "button", onclick: () => go(route.view, "", route.params) }, "‹ Back");

function overview(email) {
  const parts = [
    back(),
    el("header", {}, el("h2", {}, email.erased ? "(erased)" : email.subject || "No subject yet"), badge(email.state)),
  ];
  if (tone(email.state) === "bad") {
    const words = [email.code, email.reason].filter(Boolean).join(": ");
    if (words) parts.push(el("p", { class: "reason" }, words));
  }
  if (viewer.acts) parts.push(actions(email));
  parts.push(facts(email));
  if (email.recipients.length) parts.push(el("h3", {}, "Recipients"), results(email));
  parts.push(el("h3", {}, "Timeline"), timeline(email.history));
  return parts;
}

function actions(email) {
  const act = async (verb, title, text, yes, done) => {
    if (!(await confirmed(title, text, yes))) return;
    if (await attempt(() => post("emails/" + email.id + "/" + verb)) !== undefined) toast(done);
    refresh();
  };
  const who = email.erased ? "this email" : "the email to " + people([...email.to, ...email.cc, ...email.bcc]);
  const buttons = [];
  if (email.requeuable) {
    buttons.push(el("button", { class: "primary", type: "button", "data-act": "requeue", onclick: () => act("requeue", "Requeue this email?", "It sends " + who + " once more, with all its attempts.", "Requeue", "Requeued") }, "Requeue"));
  }
  if (email.cancellable) {
    buttons.push(el("button", { type: "button", "data-act": "cancel", onclick: () => act("cancel", "Cancel this email?", "It gives up " + who + ", unless it is on the wire by then.", "Cancel the email", "Cancelled") }, "Cancel"));
  }
  if (email.erasable) {
    buttons.push(el("button", { class: "danger", type: "button", "data-act": "erase", onclick: () => act("erase", "Erase this email's personal data?", "Addresses, subject, content and replies are taken away for good. If it has not left yet, it is cancelled.", "Erase", "Erased") }, "Erase"));
  }
  return el("div", { class: "buttons" }, ...buttons);
}

function facts(email) {
  const list = el("dl", { class: "facts" });
  const fact = (name, value, mono) => {
    if (value === null || value === undefined || value === "") return;
    list.append(el("dt", {}, name), el("dd", mono ? { class: "mono" } : {}, value));
  };
  if (!email.erased) {
    fact("From", person(email.from));
    fact("To", people(email.to));
    fact("Cc", people(email.cc));
    fact("Bcc", people(email.bcc));
  }
  fact("Template", email.template);
  fact("Tags", email.tags.join(", "));
  fact("Request", email.requestId);
  fact("In vain", email.attempts ? email.attempts + (email.attempts === 1 ? " attempt" : " attempts") : "");
  fact("Requeued", email.generation ? email.generation + (email.generation === 1 ? " time" : " times") : "");
  fact("Next try", email.due && !email.owner && !["SENT", "FAILED", "INVALID"].includes(email.outcome) ? full(email.due) : "");
  fact("Held by", email.owner, true);
  fact("Tells", email.callbackUrl);
  fact("Id", email.id, true);
  return list;
}

function results(email) {
  const tones = { ACCEPTED: "good", REFUSED: "bad", PENDING: "wait" };
  return el("ul", { class: "timeline" }, ...email.recipients.map((each) =>
    el("li", { class: tones[each.status] },
      el("div", { class: "step" }, el("b", {}, each.address), el("span", { class: "by" }, each.status.toLowerCase())),
      each.reply ? el("p", { class: "said" }, each.reply) : null)));
}

function timeline(history) {
  return el("ol", { class: "timeline" }, ...history.map((step) => {
    const by = [];
    if (step.attempt) by.push("attempt " + step.attempt);
    if (step.generation) by.push("generation " + step.generation);
    if (step.node) by.push("by " + step.node);
    return el("li", { class: tone(step.state) },
      el("div", { class: "step" }, el("b", {}, step.state), el("time", { datetime: step.at, title: full(step.at) }, clock(step.at))),
      step.reason || step.code ? el("p", {}, [step.code, step.reason].filter(Boolean).join(": ")) : null,
      by.length ? el("p", { class: "by" }, by.join(", ")) : null,
      step.detail ? el("p", { class: "said" }, step.detail) : null);
  }));
}

function contentOf(email) {
  const box = el("section", { class: "content" }, el("h3", {}, "Content"));
  if (email.erased) box.append(el("p", { class: "note" }, "The content was erased together with all personal data."));
  else if (email.contentProblem) box.append(el("p", { class: "note" }, "The content cannot be read here: " + email.contentProblem + "."));
  else if (!email.content) box.append(el("p", { class: "note" }, email.outcome === "SENT"
    ? "The content is gone. It is dropped once an email is sent, unless the outbox keeps it (retention, sentContent)."
    : "The content is gone."));
  else if (!viewer.personalData) box.append(el("p", { class: "note" }, "The access rule hides addresses and content from you."));
  else {
    attempt(() => api("emails/" + email.id + "/message")).then((message) => {
      if (message) box.append(...preview("emails/" + email.id, message, message.headers, message.raw));
    });
  }
  return box;
}

/** The tabs in which a message is looked at; html only ever in a frame that may do nothing. */
function preview(base, message, headers, raw) {
  if (message.problem) return [el("p", { class: "reason" }, "It cannot be rendered here: " + message.problem + ".")];
  const panel = el("div", { role: "tabpanel" });
  const views = [];
  if (message.html) {
    views.push(["HTML", () => [
      el("iframe", { class: "html", sandbox: "", src: "api/" + base + "/html", title: "The email's html", referrerpolicy: "no-referrer" }),
      el("p", { class: "note" }, "Scripts, links to the outside and remote images are blocked."),
    ]]);
  }
  if (message.text !== null) views.push(["Text", () => [el("pre", {}, message.text)]]);
  if (headers.length) {
    views.push(["Headers", () => [el("dl", { class: "facts" }, ...headers.flatMap((each) => [el("dt", {}, each.name), el("dd", { class: "mono" }, each.value)]))]]);
  }
  if (raw) {
    views.push(["Raw", () => {
      const pre = el("pre", {}, "Loading…");
      fetch("api/" + base + "/raw", { credentials: "same-origin" }).then(async (response) => { pre.textContent = await response.text(); }).catch(trouble);
      return [pre];
    }]);
  }
  const tabs = el("div", { class: "parts", role: "tablist" });
  const choose = (button, view) => {
    for (const each of tabs.children) {
      each.setAttribute("aria-selected", each === button);
      each.tabIndex = each === button ? 0 : -1;
    }
    panel.replaceChildren(...view());
  };
  for (const [name, view] of views) {
    const button = el("button", { role: "tab", type: "button", "aria-selected": "false" }, name);
    button.addEventListener("click", () => choose(button, view));
    tabs.append(button);
  }
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...tabs.children];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  });
  if (tabs.firstChild) tabs.firstChild.click();
  const parts = [tabs, panel];
  if (message.attachments.length) parts.push(files(base, message.attachments));
  return parts;
}

function files(base, attachments) {
  const size = (bytes) => (bytes < 1024 ? bytes + " B" : bytes < 1048576 ? (bytes / 1024).toFixed(1) + " KiB" : (bytes / 1048576).toFixed(1) + " MiB");
  return el("ul", { class: "files", "aria-label": "Attachments" }, ...attachments.map((file, index) => {
    const words = file.fileName + " (" + size(file.bytes) + ")";
    return el("li", {}, base.startsWith("inbox/")
      ? el("a", { href: "api/" + base + "/attachments/" + index, download: file.fileName }, words)
      : words);
  }));
}

// --- failures

async function listFailures() {
  const answer = await attempt(() => api("failures"));
  if (!answer) return;
  $("failures-lead").textContent = answer.groups.length
    ? "Of the newest " + number.format(answer.examined) + " failed and invalid emails" + (answer.more ? "; there are more." : ".")
    : "";
  $("requeue-all").hidden = !viewer.acts || !answer.groups.length;
  $("groups").replaceChildren(...(answer.groups.length ? answer.groups.map(group) : [el("li", { class: "empty" }, "Nothing has failed.")]));
}

function group(entry) {
  const family = GROUPS.find((each) => each.states[0] === entry.outcome);
  const states = family.states;
  const params = new URLSearchParams({ state: states.join(",") });
  if (entry.code) params.set("code", entry.code);
  const all = entry.code || "invalid";
  const body = entry.code ? { state: states, code: entry.code } : { state: states };
  return el("li", {},
    el("span", { class: "count" }, number.format(entry.count)),
    el("div", {},
      el("span", { class: "badge bad" }, entry.code || entry.outcome), el("span", { class: "when" }, "newest: ", when(entry.newest)),
      el("p", { class: "words" }, entry.text)),
    el("div", { class: "buttons" },
      el("a", { class: "button", href: address("emails", "", params) }, "Show"),
      viewer.acts ? el("button", { type: "button", onclick: () => requeueAll("Requeue all " + all + "?", "All emails with this outcome are sent once more, not only those of this group.", body) }, "Requeue all " + all) : null));
}

async function requeueAll(title, text, body) {
  if (!(await confirmed(title, text, "Requeue"))) return;
  const answer = await attempt(() => post("requeue", body));
  if (answer) toast(number.format(answer.requeued) + (answer.requeued === 1 ? " email requeued" : " emails requeued"));
  refresh();
}

// --- the development inbox

async function listLetters() {
  const query = route.params.get("q") || "";
  if (document.activeElement !== $("inbox-query")) $("inbox-query").value = query;
  const answer = await attempt(() => api("inbox?limit=200&q=" + encodeURIComponent(query)));
  if (!answer) return;
  draw($("letters"), answer.emails, (each) => each.number, (each) => [
    el("span", { class: "who" }, people(each.to)),
    when(each.at),
    el("span", { class: "what" }, each.subject || "(no subject)"),
    each.attachments ? el("span", { class: "badge" }, each.attachments === 1 ? "1 file" : each.attachments + " files") : el("span"),
  ], (each) => address("inbox", each.number, route.params), route.item, new Set());
  const empty = $("inbox-empty");
  empty.hidden = answer.emails.length > 0;
  empty.textContent = query ? "No caught email fits." : "Nothing has been caught yet.";
  $("clear").hidden = !viewer.acts;
  $("clear").disabled = !answer.kept;
}

async function openLetter() {
  const box = $("letter");
  box.classList.toggle("vacant", !route.item);
  if (!route.item) {
    letter = "";
    box.replaceChildren(el("p", { class: "hint" }, "Choose an email to read it."));
    return;
  }
  if (letter === route.item) return;
  const wanted = route.item;
  let email;
  try {
    email = await api("inbox/" + encodeURIComponent(wanted));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) return trouble(error);
    letter = "";
    box.replaceChildren(back(), el("p", { class: "hint" }, "This email is no longer in the inbox."));
    return;
  }
  if (route.item !== wanted) return;
  letter = wanted;
  const message = email.message || { html: false, text: null, attachments: [], problem: null };
  const facts = el("dl", { class: "facts" },
    el("dt", {}, "From"), el("dd", {}, person(email.from)),
    el("dt", {}, "To"), el("dd", {}, people(email.to)),
    el("dt", {}, "Caught"), el("dd", {}, full(email.at)),
    el("dt", {}, "Email"), el("dd", {}, el("a", { class: "mono", href: address("emails", email.id, new URLSearchParams()) }, email.id)));
  box.replaceChildren(
    back(),
    el("header", {}, el("h2", {}, email.subject || "(no subject)")),
    facts,
    el("section", { class: "content" }, el("h3", {}, "Content"), ...preview("inbox/" + email.number, message, email.headers, true)));
  box.scrollTop = 0;
}

async function clearInbox() {
  if (!(await confirmed("Clear the inbox?", "All caught emails are forgotten. What the outbox knows about them stays.", "Clear all"))) return;
  if (await attempt(() => api("inbox", { method: "DELETE" })) !== undefined) toast("The inbox is empty");
  go("inbox");
  refresh();
}

// --- staying up to date

async function refresh() {
  await attempt(figures);
  if (route.view === "emails") await Promise.all([listEmails(true), openEmail(true)]);
  else if (route.view === "failures") await listFailures();
  else await Promise.all([listLetters(), openLetter()]);
}

let waiting = false;
let again = false;
let settling;

/** However much happens, the server is asked about twice a second. */
function soon() {
  again = waiting;
  if (waiting) return;
  waiting = true;
  setTimeout(async () => {
    await refresh();
    waiting = false;
    if (again) soon();
  }, 500);
}

/** Once it is quiet, one more look: the server counts once a second, and may have counted before. */
function happened() {
  soon();
  clearTimeout(settling);
  settling = setTimeout(soon, 1200);
}

function listen() {
  const source = new EventSource("api/events");
  source.addEventListener("email", happened);
  source.addEventListener("hello", soon);
  source.addEventListener("error", () => {
    $("dot").className = "dot wait";
    $("activity").textContent = "Reconnecting";
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    soon(); // whether only this connection is gone, or the server
  });
}

// --- hands

$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const params = new URLSearchParams(route.params);
  const set = (name, value) => (value ? params.set(name, value) : params.delete(name));
  set("q", $("query").value.trim());
  set("since", $("since").value);
  go("emails", "", params);
});
$("since").addEventListener("change", () => $("search").requestSubmit());
$("query").addEventListener("search", () => { if (!$("query").value) $("search").requestSubmit(); });
$("more").addEventListener("click", older);
$("requeue-all").addEventListener("click", () =>
  requeueAll("Requeue all that failed?", "Failed and invalid emails are sent once more. Those that were cancelled, that expired or that may have arrived are left alone.", {}));
$("inbox-search").addEventListener("submit", (event) => event.preventDefault());
$("inbox-query").addEventListener("input", () => {
  const params = new URLSearchParams();
  if ($("inbox-query").value) params.set("q", $("inbox-query").value);
  history.replaceState(null, "", address("inbox", route.item, params));
  read();
  listLetters();
});
$("clear").addEventListener("click", clearInbox);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("confirm").open) return;
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(document.activeElement.tagName);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    (route.view === "inbox" ? $("inbox-query") : $("query")).focus();
  } else if (event.key === "Escape" && route.item && !typing) {
    go(route.view, "", route.params);
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && document.activeElement.classList.contains("row")) {
    const item = document.activeElement.parentElement;
    const next = event.key === "ArrowDown" ? item.nextElementSibling : item.previousElementSibling;
    if (next) {
      event.preventDefault();
      next.firstChild.focus();
    }
  }
});

window.addEventListener("hashchange", async () => {
  await show();
  await attempt(figures);
});

const me = await attempt(() => api("viewer"));
if (me) {
  viewer = me;
  document.querySelector('[data-tab="inbox"]').hidden = !viewer.inbox;
  if (!viewer.personalData) {
    $("query").placeholder = "Id or tag:name";
    $("query").title = "An id, tag:name or template:name";
  }
  read();
  await show();
  await attempt(figures);
  $("figures").hidden = route.view === "inbox";
  listen();
  setInterval(soon, 10000);
}
