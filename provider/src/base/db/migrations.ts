import { BASELINE } from './baseline/baseline.ts';
import { DECOY_PASSCODES } from './migrations/0145-decoy-passcodes.ts';
import { HOOK_DECISIONS } from './migrations/0149-hook-decisions.ts';
import type { Migrations } from './migration.ts';

/**
 * One list for PGlite and PostgreSQL. A released migration is never changed: add another one, in a separate file in `migrations/`. The
 * migrations are plain SQL, so that their text can be the key of a cached, ready-made database.
 */
export const MIGRATIONS: Migrations = {
  '0144_baseline': BASELINE,
  '0145_decoy_passcodes': DECOY_PASSCODES,
  '0149_hook_decisions': HOOK_DECISIONS,
};
