import type { ConfirmationRequest } from './person.ts';

/** Puts a Solana wallet into the window if there is none. Its key is created on the first request for an address. */
export function installSolana(window: Window, ask: ConfirmationRequest): void {
  if ('solana' in window) return;
  const key = async () => (await import('./keys.ts')).solanaKey();
  const publicKeyOf = async () => {
    const { address } = await key();
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
      return { publicKey: await publicKeyOf(), signature: (await key()).sign(message) };
    },
  };
  Object.assign(window, { solana });
}
