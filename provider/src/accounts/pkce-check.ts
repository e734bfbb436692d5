import { createHash } from 'node:crypto';
import { checkLinkChallenge, verifierFor, type BegunLink } from '#server-rules/proof-key.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Services } from './services.ts';
import { sameSecret } from '#provider/base/security/secrets.ts';

/** Refuses a verifier that does not match the flow's challenge. Call it before the token is spent. */
export function checkVerifier(challenge: string | null, codeVerifier: string | undefined): void {
  const verifier = verifierFor(challenge, codeVerifier);
  if (challenge === null || verifier === null) return;
  const digest = createHash('sha256').update(verifier).digest('base64url');
  if (!sameSecret(digest, challenge)) throw new Refusal('pkce_mismatch');
}

/** Like `checkVerifier`, for a link. Also refuses a link without a challenge if the project requires one. */
export function checkLinkVerifier(
  { project }: Pick<Services, 'project'>,
  link: BegunLink & { readonly code_challenge: string | null },
  codeVerifier: string | undefined,
): void {
  checkVerifier(link.code_challenge, codeVerifier);
  checkLinkChallenge(project, link);
}
