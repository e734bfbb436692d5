/** For tests with a document: waits as patient as the others, and a document that no file leaves anything in. */
import { cleanup, configure } from '@testing-library/react';
import { afterAll } from 'vitest';
import { PATIENCE_MS } from '../patience-ms.ts';

configure({ asyncUtilTimeout: PATIENCE_MS });

// The files of a worker share its document, and come in any order.
afterAll(() => {
  cleanup();
  document.body.replaceChildren();
  const left = document.adoptedStyleSheets.length;
  document.adoptedStyleSheets = [];
  if (left > 0)
    throw new Error('This file leaves a widget in the document. Close what it mounts, in an afterEach of its own.');
});
