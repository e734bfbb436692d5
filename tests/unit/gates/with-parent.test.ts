import { once } from 'node:events';
import { start } from '#scripts/lib/run.ts';
import { expect, it } from 'vitest';

/** A program that forks a worker, as many tools do: the worker has the options of the program, and another parent. */
const FORKS = `
  const { fork } = require('node:child_process');
  const { writeFileSync, mkdtempSync } = require('node:fs');
  const { join } = require('node:path');
  const worker = join(mkdtempSync(join(require('node:os').tmpdir(), 'portico-worker-')), 'worker.cjs');
  writeFileSync(worker, 'setTimeout(() => process.exit(7), 1500)');
  fork(worker).once('exit', (code) => process.exit(code ?? 1));
`;

it('workers that a program forks live as long as they like', async () => {
  const [code] = (await once(start(process.execPath, ['--eval', FORKS]), 'exit')) as [number];
  expect(code).toBe(7);
});
