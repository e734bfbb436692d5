import { BASELINE } from './baseline/baseline.ts';
import { DECOY_PASSCODES } from './migrations/0145-decoy-passcodes.ts';
import type { Migrations } from './migration.ts';

/**
 * One list for PGlite and PostgreSQL. A migration that was released is never changed: add another, in a file of its own in `migrations/`.
 * Plain SQL, so that its text is the key under which a ready-made database is cached.
 */
export const MIGRATIONS: Migrations = {
  '0144_baseline': BASELINE,
  '0145_decoy_passcodes': DECOY_PASSCODES,
};
