// What a page does beyond plain forms: look again when something changed, shorten long lists, guard a double click.
"use strict";

const live = document.querySelector("[data-live]");
const news = document.getElementById("news");

function fresh() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.onload = () => (request.response ? resolve(request.response) : reject());
    request.onerror = reject;
    request.send();
  });
}

// The list is put in place of the old one, unless somebody is about to press something in it.
function renewList(page) {
  const now = page.getElementById("live");
  if (!now || now.innerHTML === document.getElementById("live").innerHTML) return;
  const link = document.activeElement.closest?.("#live a, #live button");
  const place = link && (link.getAttribute("href") || link.textContent);
  document.getElementById("live").replaceWith(now);
  document.title = page.title;
  news.textContent = now.querySelector("h1, h2").textContent;
  news.className = "unseen";
  if (place) {
    [...now.querySelectorAll("a, button")].find((one) => (one.getAttribute("href") || one.textContent) === place)?.focus();
  }
}

// A question that is over says so; what was typed stays readable, and nothing can be sent any more.
function renewQuestion(page) {
  const deadline = page.getElementById("deadline");
  if (deadline) {
    const own = document.getElementById("deadline");
    if (own.textContent === deadline.textContent) return;
    if (deadline.matches(".hurry") && !own.matches(".hurry")) {
      news.className = "unseen";
      news.textContent = deadline.textContent; // for a screen reader; who sees the page sees it change
    }
    own.replaceWith(deadline);
    return;
  }
  const headline = page.querySelector("main h1");
  const detail = page.querySelector("main .lead");
  if (!headline || !detail || live.dataset.over) return;
  live.dataset.over = "yes";
  news.className = "banner";
  const strong = document.createElement("strong");
  strong.textContent = `${headline.textContent}. `;
  news.append(strong, `${detail.textContent.trim()} Nothing was sent from this page; what you typed is still here to copy.`);
  if (live.dataset.typed) {
    const all = document.createElement("a");
    all.href = live.dataset.typed;
    all.textContent = "See what you typed on the pages before";
    news.append(" ", all, ".");
  }
  document.title = page.title;
  document.getElementById("deadline").remove();
  document.getElementById("summary")?.remove();
  for (const one of live.querySelectorAll("form .buttons, form .buttons + p, .change")) one.remove();
  for (const one of live.querySelectorAll("form input, form textarea")) one.readOnly = true;
  for (const one of live.querySelectorAll("form select, form [type=radio], form [type=checkbox]")) one.disabled = true;
  for (const one of live.querySelectorAll("form .many")) one.tabIndex = 0; // or no key could scroll it
  live.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
}

// While the desk is away nothing is sent: a browser would put an error page in place of what was typed.
function tellAway(away) {
  if (live.dataset.over || "away" in live.dataset === away) return;
  if (away) live.dataset.away = "yes";
  else delete live.dataset.away;
  news.className = away ? "banner" : "";
  news.textContent = away
    ? "The desk can't be reached: whoever asked may have gone. Nothing can be sent at this moment; what you typed stays here."
    : "";
}

let looking = false;
let again = false;
async function look() {
  again = looking;
  if (looking) return;
  looking = true;
  try {
    const page = await fresh();
    tellAway(false);
    (live.dataset.live === "list" ? renewList : renewQuestion)(page);
  } catch {
    tellAway(true); // The stream comes back by itself, and then it is looked again.
  }
  looking = false;
  if (again) look();
}

let source = null;
function listen() {
  source?.close();
  source = null;
  if (document.visibilityState === "hidden") return; // a browser has few connections, and other pages need them
  source = new EventSource(new URL(live.dataset.events, location.href));
  source.addEventListener("open", look);
  source.addEventListener("change", look);
  source.addEventListener("error", look);
}

if (live) {
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());
  setInterval(look, 30000); // the words for the time that is left
  listen();
}

// A second click sends nothing; Back brings a form that can be sent again, and the desk says what became of it.
let sent = new WeakSet();
window.addEventListener("pageshow", () => (sent = new WeakSet()));
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (live && "away" in live.dataset) {
    look();
    return event.preventDefault();
  }
  if (!form.matches("form[data-once]")) return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  for (const date of form.querySelectorAll("input[type=date]")) {
    if (!date.validity.badInput) continue; // half a date would be sent as none
    const half = document.createElement("input");
    Object.assign(half, { type: "hidden", name: date.name, value: "unfinished" });
    date.before(half);
  }
});

document.getElementById("summary")?.focus();

function finder(field, list, narrow) {
  const box = document.createElement("input");
  box.type = "search";
  box.id = `${field}-find`;
  box.autocomplete = "off";
  const label = document.createElement("label");
  label.htmlFor = box.id;
  label.className = "hint";
  label.textContent = "Type to shorten the list";
  const said = document.createElement("p");
  said.className = "count";
  said.setAttribute("role", "status");
  box.addEventListener("input", () => (said.textContent = narrow(box.value.trim().toLowerCase())));
  box.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  list.before(label, box, said);
}

for (const select of document.querySelectorAll("select[data-filter]")) {
  const all = [...select.options];
  select.size = 8;
  finder(select.dataset.filter, select, (word) => {
    const kept = all.filter((one) => !one.value || one.selected || one.text.toLowerCase().includes(word));
    select.replaceChildren(...kept);
    return `${kept.filter((one) => one.value).length} of ${all.length - 1} are shown`;
  });
}

for (const group of document.querySelectorAll(".choices[data-filter]")) {
  const all = [...group.querySelectorAll(".choice")];
  finder(group.dataset.filter, group, (word) => {
    for (const one of all) {
      one.hidden = !one.querySelector("input").checked && !one.textContent.toLowerCase().includes(word);
    }
    return `${all.filter((one) => !one.hidden).length} of ${all.length} are shown`;
  });
}

for (const box of document.querySelectorAll("[data-most]")) {
  const most = Number(box.dataset.most);
  const said = document.createElement("p");
  said.className = "count";
  const count = () => {
    const length = [...box.value].length;
    said.textContent = `${length} of at most ${most} characters`;
    said.classList.toggle("over", length > most);
  };
  box.addEventListener("input", count);
  box.after(said);
  count();
}

// The offset of this machine's own clock on the day that is typed, until somebody writes another.
for (const parts of document.querySelectorAll("[data-zone]")) {
  const [date, time, zone] = parts.querySelectorAll("input");
  let own = zone.value === "";
  zone.addEventListener("input", () => (own = false));
  const fill = () => {
    const moment = new Date(`${date.value}T${time.value || "12:00"}`);
    if (!own || Number.isNaN(moment.getTime())) return;
    const minutes = -moment.getTimezoneOffset();
    const two = (count) => String(Math.floor(Math.abs(count))).padStart(2, "0");
    zone.value = `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  };
  date.addEventListener("input", fill);
  time.addEventListener("input", fill);
}
