import { isRecord } from '#domain/shape.ts';

/** "User Rejected Request" (EIP-1193, section "Provider Errors"); Solana's wallets use the same code. */
const USER_REJECTED = 4001;
/** The maximum number of errors to follow along `cause`: the client's, the wallet port's and the wallet's. */
const DEPTH = 3;

/** True when the person declined in the wallet, which is not an error. Reading the wallet's error object may itself throw. */
export function hasDeclined(error: unknown): boolean {
  let one = error;
  try {
    for (let depth = 0; depth < DEPTH && isRecord(one); depth += 1) {
      if (one['code'] === USER_REJECTED) return true;
      one = one['cause'];
    }
  } catch {
    // A getter or proxy of the wallet's error threw: the error counts as not declined.
  }
  return false;
}
