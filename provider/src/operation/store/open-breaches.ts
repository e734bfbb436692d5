import type { OpenList } from '#provider/accounts/password-strength/breach-file.ts';
import { openBreaches } from '#provider/accounts/password-strength/breach-source.ts';
import type { Warn } from '#provider/base/warnings.ts';
import { bothNames } from '../options/option-table.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** The list that `--breached-passwords` names; undefined for the embedded one. */
export async function openBreachedPasswords(source: string | null, warn: Warn): Promise<OpenList | undefined> {
  if (source === null) return undefined;
  try {
    return await openBreaches(source, warn);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === undefined && error instanceof Error ? error.message : `it cannot be read (${code})`;
    throw new UsageError(`${bothNames('breachedPasswords')} names no list of breached passwords: ${reason}.`);
  }
}
