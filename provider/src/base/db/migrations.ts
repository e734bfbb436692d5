import { BASELINE } from './baseline/baseline.ts';
import { DECOY_PASSCODES } from './migrations/0145-decoy-passcodes.ts';
import { ARRIVALS } from './migrations/0146-arrivals.ts';
import { IMPORTED_APPS } from './migrations/0147-imported-apps.ts';
import { IMPORTED_PASSKEYS } from './migrations/0148-imported-passkeys.ts';
import { HOOK_DECISIONS } from './migrations/0149-hook-decisions.ts';
import { OLD_SYSTEMS } from './migrations/0150-old-systems.ts';
import { ACCEPTED_TERMS } from './migrations/0151-accepted-terms.ts';
import { OPERATOR_ROLES } from './migrations/0152-operator-roles.ts';
import { OPERATOR_SUBJECTS } from './migrations/0153-operator-subjects.ts';
import type { Migrations } from './migration.ts';

/**
 * One list for PGlite and PostgreSQL. A released migration is never changed: add another one, in a separate file in `migrations/`. The
 * migrations are plain SQL, so that their text can be the key of a cached, ready-made database.
 */
export const MIGRATIONS: Migrations = {
  '0144_baseline': BASELINE,
  '0145_decoy_passcodes': DECOY_PASSCODES,
  '0146_arrivals': ARRIVALS,
  '0147_imported_apps': IMPORTED_APPS,
  '0148_imported_passkeys': IMPORTED_PASSKEYS,
  '0149_hook_decisions': HOOK_DECISIONS,
  '0150_old_systems': OLD_SYSTEMS,
  '0151_accepted_terms': ACCEPTED_TERMS,
  '0152_operator_roles': OPERATOR_ROLES,
  '0153_operator_subjects': OPERATOR_SUBJECTS,
};
