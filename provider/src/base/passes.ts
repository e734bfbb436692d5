import { Refusal } from '#domain/rules/refusal.ts';

/** Whether a check lets the request pass; false if it refuses. Other errors are thrown. */
export async function passes(check: Promise<unknown>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
