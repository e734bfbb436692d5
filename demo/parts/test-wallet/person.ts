/** EIP-1193: the user rejected the request. */
const REFUSED = 4001;
/** A delay in which the screens that wait for a wallet are visible. */
const DECIDES_MS = 400;

/** Simulates the choice of the wallet's user, which is always the same. */
export type ConfirmationRequest = () => Promise<void>;

export function decided(refuse: boolean): ConfirmationRequest {
  return async () => {
    await new Promise((resolve) => void setTimeout(resolve, DECIDES_MS));
    if (refuse) throw Object.assign(new Error('User rejected the request.'), { code: REFUSED });
  };
}
