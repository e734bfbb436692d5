import { fileURLToPath } from 'node:url';

const renderer = fileURLToPath(new URL('../../src/composition/preact.ts', import.meta.url));

/** Preact in React's place, as in the build for hosts without React. */
export const WITHOUT_REACT = [
  { find: /^react(?:-dom\/client)?$/, replacement: renderer },
  { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
];
