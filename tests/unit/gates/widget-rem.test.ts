import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { preprocessCSS, resolveConfig } from 'vite';
import { expect, it } from 'vitest';
import { widgetRem } from '#scripts/vite/widget-rem.ts';

const config = resolveConfig({ configFile: false, plugins: [widgetRem] }, 'build');
const THEME = fileURLToPath(new URL('../../../src/presentation/theme/', import.meta.url));
const transform = async (css: string, file = `${THEME}part.css?inline`): Promise<string> =>
  (await preprocessCSS(css, file, await config)).code;

it('makes rem the browser’s size, also in other functions and in custom properties', async () => {
  expect(await transform('p { font: 400 1rem/1.5rem x; margin: -0.75rem; --w: var(--x, min(25rem, 2em)) }')).toBe(
    'p { font: 400 calc(1*var(--p-rem))/calc(1.5*var(--p-rem)) x; margin: calc(-0.75*var(--p-rem)); --w: var(--x, min(calc(25*var(--p-rem)), 2em)) }',
  );
});

it('leaves other units, and the sheets of pages, as they are', async () => {
  expect(await transform('p { margin: 1em 2px; --p-rem: 1em }')).toBe('p { margin: 1em 2px; --p-rem: 1em }');
  const page = fileURLToPath(new URL('../../../demo/demo.css', import.meta.url));
  expect(await transform('p { margin: 1rem }', page)).toBe('p { margin: 1rem }');
});

it('has type in rem alone, in every sheet of the widget', () => {
  const sheets = readdirSync(THEME, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(20);
  for (const name of sheets) {
    const text = readFileSync(`${THEME}${name}`, 'utf8');
    expect(text, name).not.toMatch(
      /(?<![\w-])(?:font|font-size|line-height|(?:min-)?block-size):[^;]*\b(?:[2-9]|\d\d+)px/u,
    );
  }
});
