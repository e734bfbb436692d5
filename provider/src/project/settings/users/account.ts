import { flag, object } from '../../readers/readers.ts';

/** What users can do with their account. All users can download their data. */
export interface AccountSettings {
  /** Whether they can delete it, with the required proofs. Default: only with `--dev`. */
  readonly deletion: boolean;
}

export const accountSettings = object<AccountSettings>({ deletion: flag });
