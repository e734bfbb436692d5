/**
 * The OpenAPI description of the provider and the page of the reference, generated from the tables of calls, their types, their gates and
 * the refusals.
 *
 * `node scripts/lib/jiti.mjs scripts/openapi.ts` writes the files; a test compares them with the tables.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { generatedFiles } from './openapi/files.ts';

for (const [file, text] of Object.entries(generatedFiles())) writeFileSync(join(ROOT, file), text);
