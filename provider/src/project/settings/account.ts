import { flag, object } from '../readers/readers.ts';

/** What users can do with their account by themselves. Everybody can have their data. */
export interface AccountSettings {
  /** Delete it, with the proofs that it needs. Default: with `--dev` only. */
  readonly deletion: boolean;
}

export const accountSettings = object<AccountSettings>({ deletion: flag });
