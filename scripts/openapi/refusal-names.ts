import { REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';

export const isRefusalName = (text: string): text is RefusalType => Object.hasOwn(REFUSALS, text);

/** What a refusal becomes in the backend API (`backend-terms.ts`). */
export function inBackendTerms(type: RefusalType): readonly RefusalType[] {
  if (type === 'too_many_requests') return ['rate_limit_exceeded'];
  // A wrong password keeps its type.
  return type === 'unauthorized_credentials' || type === 'user_unauthenticated' ? [type, 'session_not_found'] : [type];
}
