import { isRecord } from './shape.ts';

/** "User Rejected Request" (EIP-1193, section "Provider Errors"); Solana's wallets have taken it over. */
const USER_REJECTED = 4001;
/** An error of ours, the wallet port's, and the wallet's own. */
const DEPTH = 3;

/** Whether the person has said no in the wallet: nothing went wrong then. What the wallet threw is anybody's object. */
export function hasDeclined(error: unknown): boolean {
  let one = error;
  try {
    for (let depth = 0; depth < DEPTH && isRecord(one); depth += 1) {
      if (one['code'] === USER_REJECTED) return true;
      one = one['cause'];
    }
  } catch {
    // It does not want to be read.
  }
  return false;
}
