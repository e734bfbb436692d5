/** Sign-In with Ethereum (EIP-4361): what a wallet may be asked to sign. */

const HEADER = ' wants you to sign in with your Ethereum account:';

/**
 * True when a wallet may see the challenge on a page of this origin. A message of EIP-4361 must name that page in its
 * first line, so that nobody signs in elsewhere by what this page shows; where one is `required`, nothing else will do.
 */
export function mayBeSigned(challenge: string, origin: string, required: boolean): boolean {
  if (!challenge.toLowerCase().includes(HEADER.trim().toLowerCase())) return !required;
  const [first] = challenge.split('\n', 1);
  try {
    return [origin, new URL(origin).host].some((name) => first === `${name}${HEADER}`);
  } catch {
    // A page without an origin, such as a sandboxed frame, has no name.
    return false;
  }
}
