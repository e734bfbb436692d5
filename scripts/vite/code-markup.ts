/** The first sample of the front page as markup, which shows before any script has run. */
import { highlight } from '../../demo/code/highlight.ts';
import { SAMPLES } from '../../demo/code/samples.ts';
import { DEFAULTS } from '../../demo/parts/choices.ts';

/** The default addresses of `npm start`. */
const SERVER = {
  provider: 'http://localhost:4100',
  publicToken: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  projectId: 'project-test-d1e70000-0000-4000-8000-000000000000',
};

const escaped = (text: string): string => text.replace(/[&<>]/gu, (char) => `&#${char.charCodeAt(0)};`);

export function codeMarkup(): string {
  const { vanilla } = SAMPLES;
  const text = vanilla.write({ choices: DEFAULTS, server: SERVER });
  const pieces = highlight(text, vanilla.language);
  const code = pieces.map(({ text: piece, kind }) =>
    kind ? `<i class="${kind}">${escaped(piece)}</i>` : escaped(piece),
  );
  const labels = Object.values(SAMPLES).map(({ label }) => `<span>${label}</span>`);
  return (
    '<div class="code-head"><h2 id="code-title">The code for what you see</h2></div>' +
    `<div class="code-box"><div class="code-bar"><div class="tabs" aria-hidden="true">${labels.join('')}</div>` +
    `<span class="file">${vanilla.file}</span></div><pre tabindex="0" aria-labelledby="code-title" role="group"><code>${code.join('')}</code></pre></div>`
  );
}
