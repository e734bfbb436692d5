import { describe, expect, it } from 'vitest';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { cryptoContract } from './crypto.contract.ts';

cryptoContract({ describe, it, expect }, 'WebCrypto on the environment’s', () => ({
  crypto: new WebCrypto(window.crypto),
}));
