import { Refusal } from '#domain/rules/refusal.ts';

/** The refusal of one field of a request. Nothing is done. */
export function wrongField(field: string, must: string): Refusal {
  return new Refusal('bad_request', `${field} must be ${must}.`, undefined, { [field]: `must be ${must}` });
}
