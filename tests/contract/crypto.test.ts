import { describe, expect, it } from 'vitest';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { cryptoContract } from './crypto.contract.ts';

const runner = { describe, it, expect };

cryptoContract(runner, 'FakeCrypto', () => ({ crypto: new FakeCrypto() }));
cryptoContract(runner, 'WebCrypto on Node’s', () => ({ crypto: new WebCrypto(globalThis.crypto) }));
