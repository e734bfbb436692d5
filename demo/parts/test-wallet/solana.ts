import type { ConfirmationRequest } from './person.ts';

const CHAIN = 'solana:mainnet';
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxNiAxNiI+PHBhdGggZD0iTTIgNGgxMnY5SDJ6Ii8+PC9zdmc+';

interface SignInput {
  readonly message: Uint8Array;
}

interface WalletRegistry {
  register(wallet: object): unknown;
}

const loadKey = async () => (await import('./keys.ts')).solanaKey();

/** A wallet of the Wallet Standard, version 1. Its key is created on the first request for an account. */
function makeWallet(ask: ConfirmationRequest) {
  const accounts: object[] = [];
  return {
    version: '1.0.0',
    name: 'Portico Test Wallet',
    icon: ICON,
    chains: [CHAIN],
    accounts,
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect() {
          await ask();
          const { address, publicKey } = await loadKey();
          const features = ['solana:signMessage'];
          accounts.splice(0, 1, Object.freeze({ address, publicKey, chains: [CHAIN], features }));
          return { accounts };
        },
      },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      'solana:signMessage': {
        version: '1.0.0',
        async signMessage(...inputs: readonly SignInput[]) {
          await ask();
          const key = await loadKey();
          return inputs.map(({ message }) => ({ signedMessage: message, signature: key.sign(message) }));
        },
      },
    },
  };
}

/** Registers the wallet by the events of the Wallet Standard, and puts it into `window.solana`, as older pages expect. */
export function installSolana(window: Window, ask: ConfirmationRequest): void {
  const wallet = makeWallet(ask);
  const register = (registry: WalletRegistry) => registry.register(wallet);
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<WalletRegistry>).detail),
  );
  if ('solana' in window) return;
  const publicKeyOf = async () => {
    const { address } = await loadKey();
    return { toBase58: () => address, toString: () => address };
  };
  const solana = {
    isPorticoTestWallet: true,
    async connect() {
      await ask();
      return { publicKey: await publicKeyOf() };
    },
    async signMessage(message: Uint8Array) {
      await ask();
      return { publicKey: await publicKeyOf(), signature: (await loadKey()).sign(message) };
    },
  };
  Object.assign(window, { solana });
}
