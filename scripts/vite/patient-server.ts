import type { Plugin } from 'vite';
import { PATIENCE_MS } from '../../tests/patience-ms.ts';

function replaced(text: string, pattern: RegExp, replacer: (all: string) => string): string {
  const changed = text.replace(pattern, replacer);
  if (changed === text) throw new Error(`The provider has no ${String(pattern)} to be replaced for the tests.`);
  return changed;
}

/**
 * Adds `patient.js`: `program.js` that waits for its database as long as a test does. Each pattern is there once: `transaction-limit.ts`, and
 * the times of `postgres.ts` but for the number of connections.
 */
export const patientServer: Plugin = {
  name: 'portico-patient-server',
  generateBundle(_options, bundle) {
    const program = bundle['program.js'];
    if (program?.type !== 'chunk') throw new Error('The build has no program.js.');
    const brief = replaced(program.code, /\bTRANSACTION_MS = [\w.]+/u, () => `TRANSACTION_MS = ${PATIENCE_MS}`);
    const source = replaced(brief, /\bDATABASE_PATIENCE = \{[^}]*\}/u, (all) =>
      all.replaceAll(/Ms: [\w.]+/gu, `Ms: ${PATIENCE_MS}`),
    );
    this.emitFile({ type: 'asset', fileName: 'patient.js', source });
  },
};
