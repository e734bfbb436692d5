import { SDKAPIError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** "Unsupported Method" (EIP-1193, section "Provider Errors"). */
export const UNSUPPORTED_METHOD = 4200;
/** The maximum number of errors to follow along `cause`: the wallet port's and the wallet's. */
const DEPTH = 3;

const UNSUPPORTED = {
  error_type: 'unsupported_crypto_wallet',
  error_message: 'This kind of wallet is not supported here. Use another wallet, or log in another way.',
};
/** The errors by the wallet's code. */
const ERRORS: ReadonlyMap<unknown, typeof UNSUPPORTED> = new Map([
  [UNSUPPORTED_METHOD, UNSUPPORTED],
  // "Method not found" (JSON-RPC 2.0, section 5.1).
  [-32601, UNSUPPORTED],
  [
    // "Resource unavailable" (EIP-1474): the open request is from an earlier visit, because the port shares the requests of one page.
    -32002,
    {
      error_type: 'crypto_wallet_request_pending',
      error_message: 'Your wallet still shows an earlier request. Open the wallet, answer it, then try again.',
    },
  ],
]);

/** The error for the wallet's code, or undefined. Reading the wallet's error object may itself throw. */
function errorFor(cause: unknown): typeof UNSUPPORTED | undefined {
  let one = cause;
  try {
    for (let depth = 0; depth < DEPTH && isRecord(one); depth += 1) {
      const fields = ERRORS.get(one['code']);
      if (fields !== undefined) return fields;
      one = one['cause'];
    }
  } catch {
    // A getter or proxy of the wallet's error threw: treated like any other error.
  }
  return undefined;
}

/**
 * The error of a wallet that cannot sign messages (the server uses the same one for signatures of contracts), or that still shows an
 * earlier request. `cause` is the original. Any other value is returned unchanged.
 */
export function walletError(cause: unknown): unknown {
  const fields = errorFor(cause);
  if (fields === undefined) return cause;
  const error = new SDKAPIError({ status_code: 400, error_url: '', ...fields });
  error.cause = cause;
  return error;
}
