import { SDKAPIError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** "Unsupported Method" (EIP-1193, section "Provider Errors"). */
export const UNSUPPORTED_METHOD = 4200;
/** The same in JSON-RPC 2.0, section 5.1. */
const METHOD_NOT_FOUND = -32601;
/** The maximum number of errors to follow along `cause`: the wallet port's and the wallet's. */
const DEPTH = 3;

/** True when the wallet cannot sign messages. Reading the wallet's error object may itself throw. */
function isUnsupported(error: unknown): boolean {
  let one = error;
  try {
    for (let depth = 0; depth < DEPTH && isRecord(one); depth += 1) {
      if (one['code'] === UNSUPPORTED_METHOD || one['code'] === METHOD_NOT_FOUND) return true;
      one = one['cause'];
    }
  } catch {
    // A getter or proxy of the wallet's error threw: the error counts as any other.
  }
  return false;
}

/**
 * The error of a wallet that cannot sign messages, as the server has it for signatures of contracts; `cause` is the original. Any
 * other value is returned unchanged.
 */
export function walletError(thrown: unknown): unknown {
  if (!isUnsupported(thrown)) return thrown;
  const error = new SDKAPIError({
    status_code: 400,
    error_type: 'unsupported_crypto_wallet',
    error_message: 'This kind of wallet is not supported here. Use another wallet, or log in another way.',
    error_url: '',
  });
  error.cause = thrown;
  return error;
}
