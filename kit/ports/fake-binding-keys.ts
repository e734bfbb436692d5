import type { BindingKey, BindingKeysPort } from '#application/ports/index.ts';

/** Keys in memory. They are real keys, because servers check the signatures. */
export class FakeBindingKeys implements BindingKeysPort {
  /** True simulates a browser that creates and stores no key. */
  refuses = false;
  private readonly keys = new Map<string, Promise<BindingKey>>();

  async find(name: string): Promise<BindingKey | null> {
    return this.refuses ? null : ((await this.keys.get(name)) ?? null);
  }

  async ensure(name: string): Promise<BindingKey | null> {
    if (this.refuses) return null;
    const key = this.keys.get(name) ?? newKey();
    this.keys.set(name, key);
    return key;
  }

  async keep(name: string, key: BindingKey): Promise<void> {
    if (!this.refuses && !this.keys.has(name)) this.keys.set(name, Promise.resolve(key));
  }

  async remove(name: string): Promise<void> {
    this.keys.delete(name);
  }
}

async function newKey(): Promise<BindingKey> {
  const { subtle } = globalThis.crypto;
  const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
  const { x = '', y = '' } = await subtle.exportKey('jwk', pair.publicKey);
  return {
    jwk: { kty: 'EC', crv: 'P-256', x, y },
    sign: async (text) =>
      new Uint8Array(
        await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, new TextEncoder().encode(text)),
      ),
  };
}
