// A thread has no origin.
/* oxlint-disable unicorn/require-post-message-target-origin */
/** A judge for tests: says what it was given, and goes wrong as the password asks. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ password, known }) => {
  if (password.startsWith('spin')) for (;;) Math.random();
  if (password.startsWith('exit')) process.exit(1);
  if (password.startsWith('fail')) throw new Error('as asked');
  parentPort.postMessage({ score: 4, warning: `${password.length}`, suggestions: [`${known.length}`] });
});
parentPort.postMessage('loaded');
