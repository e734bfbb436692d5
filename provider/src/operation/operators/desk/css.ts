/** The look of the operators' page: the colours, type and corners of the provider's other pages (base/http/page.css). */
export const PAGE_CSS = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#10222c, #e9f0f3);
  --faint: light-dark(#4c616c, #9fb2bc);
  --page: light-dark(#fbfcfc, #0b1217);
  --card: light-dark(#ffffff, #131f26);
  --raised: light-dark(#f1f5f6, #1a2830);
  --line: light-dark(#dfe7ea, #22323b);
  --edge: light-dark(#78909b, #647b87);
  --accent: light-dark(#0b5f5a, #7ed4c9);
  --on-ink: light-dark(#ffffff, #10222b);
  --shade: light-dark(rgb(12 20 28 / 11%), rgb(0 0 0 / 70%));
  --danger: light-dark(#8b1214, #ff9c9c);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
main:focus { outline: none; }
/* A page that needs no session is a card in the middle. */
body:not(:has(header)) main { max-width: 28rem; margin-block: 12vh; padding: 1.5rem; }
@media (min-width: 30rem) {
  body:not(:has(header)) main { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 2rem; }
}
h1 { font-size: 1.5rem; margin: 0.5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 0 0 0.5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--card); padding: 0.5rem; z-index: 1; }
/* Its edges are those of the text below it. */
header { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: center; padding: 0 max(1rem, 50% - 37rem);
  background: var(--card); border-bottom: 1px solid var(--line); }
.brand { display: inline-flex; gap: 0.625rem; align-items: center; min-height: 3.25rem; font-size: 1.0625rem;
  font-weight: 650; letter-spacing: -0.01em; }
nav { display: flex; overflow-x: auto; margin-inline: -0.625rem; }
nav a { display: inline-flex; align-items: center; min-height: 3.25rem; padding: 0 0.625rem; color: var(--faint);
  font-size: 0.9375rem; text-decoration: none; white-space: nowrap; }
nav a:focus-visible { outline-offset: -3px; }
nav a:hover, nav a[aria-current] { color: var(--ink); }
nav a[aria-current] { position: relative; font-weight: 600; }
nav a[aria-current]::after { content: ''; position: absolute; inset: auto 0.625rem 0; height: 2px; background: var(--accent); }
header form { display: flex; gap: 0.75rem; align-items: center; margin-inline-start: auto; font-size: 0.9375rem;
  overflow-wrap: anywhere; }
/* The sections scroll in a row of their own, below the mark and the way out. The current one is in view from the start. */
@media (max-width: 60rem) {
  nav a { min-height: 2.75rem; }
  nav a[aria-current] { scroll-initial-target: nearest; scroll-margin-inline: 2rem; }
  nav { order: 1; flex-basis: 100%; mask-image: linear-gradient(to right, transparent, #000 0.625rem calc(100% - 1.5rem), transparent); padding-inline-end: 1.5rem; }
}
button, input, select, textarea { font: inherit; color: inherit; min-height: 2.5rem; padding: 0.25rem 0.75rem;
  border: 1px solid var(--edge); border-radius: 8px; background: var(--card); max-width: 100%; }
input[type='checkbox'] { min-height: 0; width: 1.25rem; height: 1.25rem; vertical-align: middle; margin-inline-start: 0; }
button { cursor: pointer; border-color: var(--line); box-shadow: 0 1px 2px rgb(12 20 28 / 5%); font-weight: 500; }
button:hover { background: var(--raised); }
button:disabled { opacity: 0.6; cursor: default; }
.primary { background: var(--ink); color: var(--on-ink); border-color: transparent; font-weight: 600; }
.primary:hover { background: color-mix(in srgb, var(--ink) 88%, var(--on-ink)); }
.danger { color: var(--danger); border-color: currentColor; }
.locked { color: var(--danger); }
.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-bottom: 1rem; }
.pair { display: inline-flex; gap: 0.5rem; align-items: center; white-space: nowrap; }
.pair input { width: 12rem; }
@media (max-width: 30rem) {
  .filter { display: grid; gap: 0.25rem; justify-items: start; }
  .pair { display: grid; gap: 0.25rem; width: 100%; margin-bottom: 0.5rem; white-space: normal; }
  .pair > *, .pair input { width: 100%; }
  .filter > button { margin-top: 0.5rem; }
}
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 1rem; }
.act { display: inline-flex; gap: 0.5rem; align-items: center; }
/* A shade at each edge beyond which there is more; the plain ends move with the table and cover it. */
.scroll { overflow-x: auto; margin-bottom: 1.5rem; border: 1px solid var(--line); border-radius: 10px;
  background: linear-gradient(to right, var(--card) 1.5rem, transparent 3rem) local,
    linear-gradient(to left, var(--card) 1.5rem, transparent 3rem) local,
    linear-gradient(to right, var(--shade), transparent 1.25rem), linear-gradient(to left, var(--shade), transparent 1.25rem), var(--card); }
table { border-collapse: collapse; width: max-content; min-width: 100%; max-width: max(100%, 56rem); font-size: 0.9375rem; }
caption { text-align: start; padding: 0.5rem 0.75rem; font-weight: 600; }
th, td { text-align: start; vertical-align: baseline; padding: 0.5rem 0.75rem; border-top: 1px solid var(--line);
  max-width: 24rem; overflow-wrap: break-word; }
tbody tr:hover { background: var(--raised); }
td:last-child, td a { overflow-wrap: anywhere; }
/* Links that stand alone are targets of at least 24 px (WCAG 2.2, 2.5.8) in rows that are no higher for it. */
td > a, main > p > a { padding-block: 0.25rem; margin-block: -0.25rem; }
td > a { display: block; outline-offset: 0; }
main > p > a { display: inline-block; }
th { color: var(--faint); font-weight: 600; white-space: nowrap; }
time { white-space: nowrap; }
dl { display: grid; grid-template-columns: fit-content(45%) minmax(0, 1fr); gap: 0.25rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
dd time { white-space: normal; }
code { font: 0.9375em ui-monospace, monospace; overflow-wrap: anywhere; }
.done { padding: 0.5rem 0.75rem; background: var(--raised); border-inline-start: 4px solid var(--accent); }
.none { max-width: 40rem; margin: 0 0 1.5rem; padding: 1.5rem 1rem; color: var(--faint); text-align: center;
  border: 1px dashed var(--line); border-radius: 10px; }
.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; justify-items: start; max-width: 40rem; margin: 0 0 1.5rem; padding: 1rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
details.form { display: block; justify-items: normal; padding: 0; }
details.form[open] { border-color: var(--danger); }
summary { padding: 0.625rem 1rem; cursor: pointer; color: var(--danger); font-weight: 500; border-radius: 10px; }
details.form form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; justify-items: start; padding: 0.5rem 1rem 1rem; }
.form h2, .form p, .form .acts { margin: 0; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; width: 100%; justify-items: start; }
.field label { font-weight: 600; overflow-wrap: anywhere; }
.field input, .field select, .field textarea { width: 100%; }
.field [aria-invalid] { border-color: var(--danger); }
.hint { color: var(--faint); }
.wrong { margin: 0; padding: 0; list-style: none; color: var(--danger); overflow-wrap: anywhere; }
input[type='file'] { padding: 0.25rem; }
::file-selector-button { font: inherit; color: inherit; margin-inline-end: 0.75rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--raised); }
main > p { max-width: 44rem; text-wrap: pretty; }
textarea { min-height: 6rem; resize: vertical; }
textarea.lines { min-height: 14rem; font: 0.875rem/1.4 ui-monospace, monospace; }
.secret { display: block; padding: 0.75rem; background: var(--raised); border-radius: 8px; user-select: all; }
[role='alert'] { color: var(--danger); }
[role='alert']:empty { margin: 0; }
`;
