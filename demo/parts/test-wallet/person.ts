/** EIP-1193: the person said no. */
const REFUSED = 4001;
/** Long enough for the screens that wait for a wallet to be seen. */
const DECIDES_MS = 400;

/** Asks the person who holds the wallet. There is none, so the answer is always the same. */
export type ConfirmationRequest = () => Promise<void>;

export function decided(refuse: boolean): ConfirmationRequest {
  return async () => {
    await new Promise((resolve) => void setTimeout(resolve, DECIDES_MS));
    if (refuse) throw Object.assign(new Error('User rejected the request.'), { code: REFUSED });
  };
}
