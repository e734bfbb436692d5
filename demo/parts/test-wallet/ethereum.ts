import type { ConfirmationRequest } from './person.ts';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** EIP-1193: there is no such method. */
const UNSUPPORTED = 4200;
const HEX = /^0x(?:[0-9a-f]{2})*$/i;
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 4h12v9H2z'/%3E%3C/svg%3E";

/** Text, or hexadecimal bytes: wallets accept both. */
function bytesOf(message: string): Uint8Array {
  if (!HEX.test(message)) return new TextEncoder().encode(message);
  return Uint8Array.from(message.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

/** An EIP-1193 provider. Its key is created on the first request for an address. */
function makeProvider(ask: ConfirmationRequest) {
  const key = async () => (await import('./keys.ts')).ethereumKey();
  return {
    isPorticoTestWallet: true,
    async request({ method, params = [] }: Call): Promise<unknown> {
      if (method === 'eth_chainId') return '0x1';
      if (method === 'eth_requestAccounts') {
        await ask();
        return [(await key()).address];
      }
      if (method === 'personal_sign') {
        await ask();
        return (await key()).sign(bytesOf(String(params[0])));
      }
      throw Object.assign(new Error(`The test wallet has no ${method}.`), { code: UNSUPPORTED });
    },
    on: () => undefined,
    removeListener: () => undefined,
  };
}

/** Puts the provider into a window that has none, and announces it (EIP-6963). */
export function installEthereum(window: Window, ask: ConfirmationRequest): void {
  const provider = makeProvider(ask);
  if (!('ethereum' in window)) Object.assign(window, { ethereum: provider });
  const info = Object.freeze({
    uuid: crypto.randomUUID(),
    name: 'Portico Test Wallet',
    icon: ICON,
    rdns: 'example.portico.test-wallet',
  });
  const announce = () => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  };
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}
