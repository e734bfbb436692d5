import { HashFault } from '#provider/accounts/account/import-readers.ts';
import { FieldError, type Reader } from '#provider/project/readers/readers.ts';

/** Why this server does not take a factor of a line, as the end of a sentence; null if it does, or if the project file is to be changed. */
export function flawOf(read: Reader<unknown>, factor: unknown): string | null {
  try {
    read(factor, '');
    return null;
  } catch (error) {
    if (error instanceof HashFault) return 'its hash is of a form that is unknown here';
    if (!(error instanceof FieldError)) throw error;
    const field = error.path.split(/\W/u).at(-1) ?? '';
    if (field === 'rp_id') return null;
    return `${field === '' ? 'it' : `its ${field}`} must be ${error.must.split(': take ', 1)[0] ?? ''}`;
  }
}
