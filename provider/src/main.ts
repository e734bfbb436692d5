#!/usr/bin/env node
import { oldNode } from './base/node-version.mjs';

const refusal = oldNode();
if (refusal !== null) {
  console.error(refusal);
  process.exit(1);
}
// Loaded late, because an older Node cannot parse its syntax, or lacks what it imports.
void import('./operation/program.ts');
