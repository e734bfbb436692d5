import { fileURLToPath } from 'node:url';
import { preprocessCSS, resolveConfig } from 'vite';
import { expect, it } from 'vitest';
import { importantCss } from '#scripts/vite/important-css.ts';

const config = resolveConfig({ configFile: false, plugins: [importantCss] }, 'build');
const THEME = fileURLToPath(new URL('../../../src/presentation/theme/', import.meta.url));
const transform = async (css: string, file = `${THEME}part.css?inline`): Promise<string> =>
  (await preprocessCSS(css, file, await config)).code;

it('makes declarations important, at every depth of layers, queries and nested rules', async () => {
  expect(await transform('@layer portico { @media print { p { color: red; a { margin: 0 1px } } } }')).toBe(
    '@layer portico { @media print { p { color: red !important; a { margin: 0 1px !important } } } }',
  );
});

it('leaves a declaration as it is that is important already', async () => {
  expect(await transform('p { color: red !important }')).toBe('p { color: red !important }');
});

it.each([
  'p { --p-ink: red }',
  '@keyframes turn { to { rotate: 1turn } }',
  '@-webkit-keyframes turn { to { rotate: 1turn } }',
  '@layer portico { @keyframes turn { to { rotate: 1turn } } }',
  '@font-face { font-family: a; src: url(a.woff2) }',
  '@property --p-ink { syntax: "<color>"; inherits: true; initial-value: red }',
])('leaves what takes no !important: %s', async (css) => {
  expect(await transform(css)).toBe(css);
});

it('leaves the style sheets of pages alone', async () => {
  const page = fileURLToPath(new URL('../../../demo/demo.css', import.meta.url));
  expect(await transform('p { color: red }', page)).toBe('p { color: red }');
});
