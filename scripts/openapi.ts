/**
 * The OpenAPI description of the provider, generated from the tables of calls, their types, their gates and the refusals: the build
 * runs `node scripts/lib/jiti.mjs scripts/openapi.ts`. With `--write` also the page of the reference, which is committed; a test compares
 * it with the tables.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { generatedFiles } from './openapi/files.ts';

const { description, page } = generatedFiles();
writeFileSync(join(ROOT, 'provider/openapi.json'), description);
if (process.argv.includes('--write')) writeFileSync(join(ROOT, 'docs/openapi.md'), page);
