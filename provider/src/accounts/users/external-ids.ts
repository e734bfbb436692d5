import { Refusal } from '#domain/rules/refusal.ts';

const EXTERNAL_ID = /^[\w.|-]{1,128}$/u;
/** An external id can be used in place of a user id, so it must not look like one. */
const USER_ID = /^user-(?:test|live)-/u;

export function checkExternalId(id: string): void {
  if (!EXTERNAL_ID.test(id) || USER_ID.test(id)) throw new Refusal('invalid_external_id');
}
