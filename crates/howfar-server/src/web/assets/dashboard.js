"use strict";
// Conveniences of the dashboard. Every page says everything without this script; it adds the keys j and k, and what
// happens to a run while it runs.

(() => {
  const visible = (element) => element.checkVisibility();

  // The rows of the page, in order: links of tables and lists, and the cards of a chain.
  const rows = () => [...document.querySelectorAll("a[data-row], .card summary")].filter(visible);

  // Moves the focus `step` rows on from the row that has it, or that is nearest above.
  const move = (step) => {
    const all = rows();
    if (all.length === 0) return;
    const here = document.activeElement;
    const row = here?.closest("tr, li")?.querySelector("a[data-row], .card summary");
    const at = all.indexOf(all.includes(here) ? here : row);
    const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
    all[next].focus();
    all[next].scrollIntoView({ block: "nearest" });
  };

  const types = (element) => element.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || types(event.target)) return;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else return;
    event.preventDefault();
  });

  // A run that is running: counts follow its events, and the page is loaded again when it has ended.
  const banner = document.querySelector("[data-live]");
  if (banner === null || typeof EventSource === "undefined") return;
  const count = banner.querySelector("[data-live-count]");
  const hint = banner.querySelector("[data-live-hint]");
  const said = banner.querySelector("[data-live-said]");

  // What is read out to those who hear the page: how far the run is, but not each trial.
  const PAUSE = 15_000;
  let spoken = performance.now();
  const say = (text) => {
    said.textContent = text;
    spoken = performance.now();
  };

  const events = new EventSource(banner.dataset.live);
  events.addEventListener("open", () => {
    hint.textContent = "The counts follow the run; the rest of the page shows it as it was when loaded.";
  });
  events.addEventListener("progress", (event) => {
    const { run, trials } = JSON.parse(event.data);
    const failed = trials.taskVerdicts.failed ?? 0;
    const passed = trials.taskVerdicts.passed ?? 0;
    const unit = run.configuredTrials === 1 ? "trial" : "trials";
    count.textContent = `${trials.stored} of ${run.configuredTrials} ${unit} finished · ${passed} passed · ${failed} failed`;
    if (performance.now() - spoken > PAUSE) say(count.textContent);
    if (run.state !== "running") {
      events.close();
      location.reload();
    }
  });
  events.addEventListener("error", () => {
    hint.textContent = "The connection to the dashboard is interrupted; reload the page to see how far the run is.";
    say(hint.textContent);
  });
})();
