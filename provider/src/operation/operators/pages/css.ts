/** The look of the operators' page: one column, in the colours of the system's light or dark scheme. */
export const PAGE_CSS = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1f24, #e6e9ee);
  --faint: light-dark(#59626d, #9da7b3);
  --paper: light-dark(#ffffff, #14171b);
  --raised: light-dark(#f4f6f8, #1d2126);
  --line: light-dark(#d5dae0, #363c44);
  --edge: light-dark(#7a8591, #7a8490);
  --accent: light-dark(#0b57d0, #8ab4f8);
  --danger: light-dark(#b3261e, #f2b8b5);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
main:focus { outline: none; }
/* A page that needs no session is a card in the middle. */
body:not(:has(header)) main { max-width: 28rem; margin-block: 12vh; padding: 1.5rem; }
@media (min-width: 30rem) {
  body:not(:has(header)) main { border: 1px solid var(--line); border-radius: 12px; }
}
h1 { font-size: 1.5rem; margin: 0.5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 0 0 0.5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; justify-content: space-between;
  padding: 0.5rem 1rem; background: var(--raised); border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a { padding: 0.5rem 0; text-decoration: none; }
nav a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--accent); }
header form { display: flex; gap: 0.75rem; align-items: center; color: var(--faint); overflow-wrap: anywhere; }
button, input, select, textarea { font: inherit; color: inherit; min-height: 2.5rem; padding: 0.25rem 0.75rem;
  border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); max-width: 100%; }
input[type='checkbox'] { min-height: 0; width: 1.25rem; height: 1.25rem; vertical-align: middle; }
button { cursor: pointer; background: var(--raised); }
button:disabled { opacity: 0.6; cursor: default; }
.primary { background: var(--accent); color: var(--paper); border-color: transparent; font-weight: 600; }
.danger { color: var(--danger); border-color: currentColor; }
.locked { color: var(--danger); }
.filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-bottom: 1rem; }
@media (max-width: 30rem) {
  .filter { display: grid; gap: 0.25rem; justify-items: start; }
  .filter > input, .filter > select { width: 100%; margin-bottom: 0.5rem; }
  .filter > button { margin-top: 0.5rem; }
}
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 1rem; }
.act { display: inline-flex; gap: 0.5rem; align-items: center; }
.scroll { overflow-x: auto; margin-bottom: 1.5rem; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: max-content; min-width: 100%; max-width: max(100%, 56rem); font-size: 0.9375rem; }
caption { text-align: start; padding: 0.5rem 0.75rem; font-weight: 600; }
th, td { text-align: start; vertical-align: top; padding: 0.5rem 0.75rem; border-top: 1px solid var(--line);
  max-width: 24rem; overflow-wrap: break-word; }
td:last-child, td a { overflow-wrap: anywhere; }
th { color: var(--faint); font-weight: 600; white-space: nowrap; }
time { white-space: nowrap; }
dl { display: grid; grid-template-columns: fit-content(45%) minmax(0, 1fr); gap: 0.25rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
dd time { white-space: normal; }
code { font: 0.9375em ui-monospace, monospace; overflow-wrap: anywhere; }
.done { padding: 0.5rem 0.75rem; background: var(--raised); border-inline-start: 4px solid var(--accent); }
.none { color: var(--faint); }
.form { display: grid; gap: 1rem; justify-items: start; max-width: 40rem; margin: 0 0 1.5rem; padding: 1rem;
  border: 1px solid var(--line); border-radius: 6px; }
.form.dangerous { border-color: var(--danger); }
.form h2, .form p, .form .acts { margin: 0; }
.field { display: grid; gap: 0.25rem; width: 100%; justify-items: start; }
.field label { font-weight: 600; overflow-wrap: anywhere; }
.field input, .field textarea { width: 100%; }
.field [aria-invalid] { border-color: var(--danger); }
.hint { color: var(--faint); }
.wrong { margin: 0; padding: 0; list-style: none; color: var(--danger); overflow-wrap: anywhere; }
textarea { min-height: 6rem; resize: vertical; }
textarea.lines { min-height: 14rem; font: 0.875rem/1.4 ui-monospace, monospace; }
.secret { display: block; padding: 0.75rem; background: var(--raised); border-radius: 6px; user-select: all; }
[role='alert'] { color: var(--danger); min-height: 1.5rem; }
`;
