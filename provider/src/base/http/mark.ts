import { html } from 'hono/html';

/** The product's mark. `--page` in the style sheet is the colour of its lines. */
export const MARK = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
  <rect width="32" height="32" rx="8" fill="currentColor" />
  <path
    d="M8.5 24.5V15a7.5 7.5 0 0 1 15 0v9.5M14 24.5V16a2 2 0 0 1 4 0v8.5"
    fill="none"
    stroke="var(--page)"
    stroke-width="2.5"
    stroke-linecap="round"
  />
</svg>`;
