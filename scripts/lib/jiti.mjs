/** Runs a TypeScript file that imports by the names of tsconfig.json: `node scripts/lib/jiti.mjs FILE [ARGUMENTS]`. */
// @ts-check
import { resolve } from 'node:path';
import { createJiti } from 'jiti';

const file = resolve(process.argv[2] ?? '');
process.argv.splice(1, 2, file);
await createJiti(import.meta.url, { tsconfigPaths: true }).import(file);
